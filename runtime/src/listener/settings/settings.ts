import type { CloudEnvironment, InputRuntimeBinding } from "../../binding/index.js";
import { AZURE_LIMITS } from "../../binding/rules/index.js";
import { backgroundClock, type Clock } from "../../clock.js";
import type { DeduplicationStore } from "../../deduplication/index.js";
import type { CloudEvent, EventCatalogue, EventPayloads } from "../../events/index.js";
import type { EventHandlers, VerifiedCaller } from "../../handling/index.js";
import type { TelemetryProviders } from "../../instrumentation.js";
import type { Log } from "../../log.js";

/** How the listener consents to deliveries. */
export interface HandshakeSettings {
  /**
   * Origins that may deliver.
   * @default the origin of Event Grid in the binding's cloud, such as `eventgrid.azure.net`
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether to call the URL that a handshake may offer for consent. Event Grid does not need the
   * call: the response is consent enough. Only https URLs on hosts of the allowed origins are called.
   * @default false
   */
  readonly callback?: boolean | undefined;
}

/** Which tokens are accepted. */
export interface AuthenticationSettings {
  /**
   * App ID URIs that tokens may be issued for, besides the client ID.
   * @default none
   */
  readonly audiences?: readonly string[] | undefined;
  /**
   * Application IDs that may deliver. Required for the China cloud, where Microsoft does not publish
   * Event Grid's ID.
   * @default Event Grid's own application in the binding's cloud
   */
  readonly callers?: readonly string[] | undefined;
  /**
   * Accepts tokens without the role `AzureEventGridSecureWebhookSubscriber`. The reason is logged at
   * start.
   */
  readonly acceptWithoutRole?: { readonly reason: string } | undefined;
  /**
   * How far the clocks of the issuer and the listener may be apart, in milliseconds.
   * @default 60_000
   */
  readonly clockToleranceMs?: number | undefined;
  /** How the issuer's signing keys are kept. */
  readonly keys?:
    | {
        /** How long they are trusted while the issuer is unreachable, in milliseconds. @default 24 hours */
        readonly maxStaleMs?: number | undefined;
        /** Timeout of each fetch, in milliseconds. `listen` waits for at most 5 s of it. @default 4 seconds */
        readonly timeoutMs?: number | undefined;
      }
    | undefined;
}

/** How much the listener accepts. */
export interface ListenerLimits {
  /** Largest request body, in bytes; larger ones get 413. @default 2 MiB */
  readonly requestBytes?: number | undefined;
  /** Most events in one request; more get 413. @default 5000, the most that Event Grid sends */
  readonly requestEvents?: number | undefined;
  /** Requests at a time; further ones get 503. @default 256 */
  readonly concurrentRequests?: number | undefined;
  /** Bytes of request bodies at a time; beyond them 503. @default 64 MiB */
  readonly bufferedBytes?: number | undefined;
  /** Handlers running at a time, in all requests together; further ones wait. @default 64 */
  readonly concurrentHandlers?: number | undefined;
  /** Handlers running at a time for one request. @default 16 */
  readonly concurrentHandlersPerRequest?: number | undefined;
}

/** Event Grid's notice that it stopped delivering to this webhook. */
export interface SubscriptionEnd {
  /** Event Grid's name for it. */
  readonly kind: "SubscriptionDeletion" | "Unsubscribe";
  readonly subscriptionName: string | undefined;
  readonly caller: VerifiedCaller;
}

/** Settings of a webhook besides its binding and its handlers. */
export interface WebhookSettings {
  /**
   * Path to serve, when an ingress rewrites the public one.
   * @default the binding's path, or the path of its `subscriberEndpoint`
   */
  readonly path?: string | undefined;
  /** Which origins get consent, and for how many requests. */
  readonly handshake?: HandshakeSettings | undefined;
  /** Which tokens are accepted. */
  readonly authentication?: AuthenticationSettings | undefined;
  /** How much is accepted, and handled, at a time. */
  readonly limits?: ListenerLimits | undefined;
  /**
   * When a delivery is answered with 503 although its handlers have not finished, in milliseconds
   * after it was accepted. Event Grid waits 30 s, some of which fetching a key may have taken.
   * @default 25_000
   */
  readonly deadlineMs?: number | undefined;
  /**
   * The response for an event that has no handler: acknowledged and counted, answered with 503 and
   * retried, or rejected for good.
   * @default "acknowledge"
   */
  readonly unhandled?: "acknowledge" | "retry" | "reject" | undefined;
  /**
   * The schema of the deliveries. `"eventgrid"` accepts Event Grid's own schema as well as CloudEvents,
   * for subscriptions that cannot be changed: handlers receive its events as CloudEvents, and its
   * validation event is answered. It does not replace the token: deliveries and the validation event
   * need one.
   * @default "cloudevents"
   * @see https://learn.microsoft.com/azure/event-grid/event-schema
   */
  readonly schema?: "cloudevents" | "eventgrid" | undefined;
  /**
   * Whether an event that deviates from CloudEvents in an optional attribute, such as a `time`
   * without offset, is refused with 400. Event Grid never delivers it again then. Otherwise it is
   * handled as it is, with a warning in the log.
   * @default false
   */
  readonly strict?: boolean | undefined;
  /**
   * What to do with an event of another event subscription, or of another Azure resource, than the
   * binding's: it is logged and counted, and then handled like others, or rejected with 400. Event Grid
   * never delivers a rejected event again. Nothing is compared if the binding has neither
   * `eventSubscriptionName` nor `scope`; events of a topic may have any `source`.
   * @default "accept"
   */
  readonly unexpectedSource?: "accept" | "reject" | undefined;
  /**
   * Where handled events are remembered, so that they are not handled again; `false` turns that off.
   * @default a `MemoryDeduplication`
   */
  readonly deduplication?: DeduplicationStore | false | undefined;
  /**
   * What identifies an event within its `source` when it is delivered again: events with the same key
   * are handled once, `undefined` is never a duplicate. If it throws, the event is handled.
   * @default the event's `id`; `undefined` for telemetry of IoT Hub, whose messages may share an `id`
   */
  readonly deduplicationKey?: ((event: CloudEvent) => string | undefined) | undefined;
  /**
   * Timeout of each call of the deduplication store, in milliseconds; at most `deadlineMs`. A `claim`
   * that times out is answered with 503.
   * @default 5_000, or `deadlineMs` if that is shorter
   */
  readonly deduplicationTimeoutMs?: number | undefined;
  /**
   * Called when the subscription was deleted, before the response. If it throws, Event Grid sends
   * the notice again.
   */
  readonly onSubscriptionEnd?: ((end: SubscriptionEnd) => unknown) | undefined;
  /**
   * How long deliveries are still accepted after readiness went off, in milliseconds: the time that
   * a load balancer needs to notice.
   * @default 5_000 with `createListener`, that of the listener in `listener.add`, otherwise 0
   */
  readonly drainLagMs?: number | undefined;
  /** OpenTelemetry providers. @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
  /** Fetches the issuer's documents. @default `fetch` through the proxy of the environment, if any */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Decides when tokens expire, keys are fetched again and events are forgotten. Deadlines always
   * run in real time.
   * @default the machine's, which does not keep the process alive
   */
  readonly clock?: Clock | undefined;
}

/** The options of the `eventGridWebhook` plugin. */
export interface WebhookOptions extends WebhookSettings {
  /** Props with an input half, or the result of `bindingFromEnvironment`. */
  readonly binding: InputRuntimeBinding;
  /** The event types of this service. Payloads are checked by their schema before a handler runs. */
  readonly events?: Pick<EventCatalogue, "types" | "schemas"> | undefined;
  /** Handlers by event type; `defineHandlers` types them by the catalogue. */
  readonly on: EventHandlers;
}

/** The options of one binding of a listener. */
export interface BindingOptions<P extends EventPayloads = EventPayloads> extends WebhookSettings {
  /** The event types of this service. Payloads are checked by their schema before a handler runs. */
  readonly events?: EventCatalogue<P> | undefined;
  /** Handlers by event type, by prefix (`"Microsoft.Storage.*"`) and for the rest (`"*"`). */
  readonly on: EventHandlers<P>;
}

/** The options of `createWebhook`. */
export interface WebhookEndpointOptions<P extends EventPayloads = EventPayloads>
  extends BindingOptions<P> {
  /**
   * A logger such as pino's, or `false` for no log.
   * @default JSON lines as pino writes them, through `console`, from the level of `LOG_LEVEL` on
   * (`info`)
   */
  readonly logger?: Log | boolean | undefined;
}

/** The options of `createListener`. */
export interface ListenerOptions<P extends EventPayloads = EventPayloads>
  extends WebhookEndpointOptions<P> {
  /**
   * Address to listen on.
   * @default "0.0.0.0", every IPv4 address
   */
  readonly host?: string | undefined;
  /**
   * Port to listen on; 0 takes a free one.
   * @default the binding's `handshakePort`
   */
  readonly port?: number | undefined;
  /** Paths of the health routes; `false` for none. */
  readonly health?: HealthPaths | false | undefined;
  /**
   * Signals that close the listener, such as `["SIGTERM", "SIGINT"]`. A second signal ends the drain
   * without waiting for deliveries in flight. The process is never exited; it ends by itself when
   * nothing else keeps it running.
   * @default none
   */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

/** Paths of the health routes of `createListener`. */
export interface HealthPaths {
  /** 503 only when the process should be restarted. @default "/healthz" */
  readonly live?: string | undefined;
  /** 200 while deliveries are accepted. @default "/readyz" */
  readonly ready?: string | undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MIB = 1024 * 1024;

/** The settings with every default filled in. */
export type CompleteSettings = ReturnType<typeof withDefaults>;

/** Fills in every default. */
export function withDefaults(settings: WebhookSettings, cloud: CloudEnvironment) {
  const { handshake = {}, authentication = {}, limits = {}, clock = backgroundClock } = settings;
  const { eventGridApplicationId } = cloud;
  const deadlineMs = settings.deadlineMs ?? 25 * SECOND;
  const callers = eventGridApplicationId === undefined ? [] : [eventGridApplicationId];
  return {
    handshake: {
      allowedOrigins: handshake.allowedOrigins ?? cloud.handshakeOrigins,
      callback: handshake.callback ?? false,
    },
    callers: authentication.callers ?? callers,
    audiences: authentication.audiences ?? [],
    clockToleranceMs: authentication.clockToleranceMs ?? MINUTE,
    keys: {
      maxStaleMs: authentication.keys?.maxStaleMs ?? 24 * 60 * MINUTE,
      timeoutMs: authentication.keys?.timeoutMs ?? 4 * SECOND,
    },
    limits: {
      requestBytes: limits.requestBytes ?? 2 * MIB,
      requestEvents: limits.requestEvents ?? AZURE_LIMITS.eventsPerBatch.max,
      concurrentRequests: limits.concurrentRequests ?? 256,
      bufferedBytes: limits.bufferedBytes ?? 64 * MIB,
      concurrentHandlers: limits.concurrentHandlers ?? 64,
      concurrentHandlersPerRequest: limits.concurrentHandlersPerRequest ?? 16,
    },
    deadlineMs,
    unhandled: settings.unhandled ?? "acknowledge",
    schema: settings.schema ?? "cloudevents",
    strict: settings.strict ?? false,
    unexpectedSource: settings.unexpectedSource ?? "accept",
    deduplication: settings.deduplication,
    deduplicationTimeoutMs: settings.deduplicationTimeoutMs ?? Math.min(5 * SECOND, deadlineMs),
    drainLagMs: settings.drainLagMs ?? 0,
    clock,
  } as const;
}
