import {
  AZURE_LIMITS,
  type CloudEnvironment,
  type InputRuntimeBinding,
  uuidRule,
} from "../binding/index.js";
import type { EventPayloads } from "../events/index.js";
import {
  type AnyCatalogue,
  type AnyMiddleware,
  type HandlingOptions,
  handlingOptions,
  type ProcessOptions,
  processOptions,
} from "../handling/index.js";
import { MIB } from "../units.js";
import {
  boolean,
  choiceRule,
  delayMs,
  integerRule,
  isObject,
  listOf,
  nonEmptyString,
  type OptionTable,
  positiveInteger,
  predicateRule,
  unchecked,
  withDefaults,
} from "../validation/index.js";

/** How the listener consents to deliveries. */
export interface HandshakeSettings {
  /**
   * Origins that may deliver.
   * @default the origin of Event Grid in the binding's cloud, such as `eventgrid.azure.net`
   */
  readonly allowedOrigins?: readonly string[] | undefined;
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
   * `{ reason }` accepts tokens without the role `AzureEventGridSecureWebhookSubscriber`. The reason is
   * logged at start.
   */
  readonly acceptWithoutRole?: { readonly reason: string } | undefined;
}

/** How much the listener accepts. */
export interface ListenerLimits {
  /**
   * Largest request body, in bytes; larger ones get 413, as do those of more than 5,000 events.
   * @default 2 MiB
   */
  readonly requestBytes?: number | undefined;
  /** Requests at a time; further ones get 503. @default 256 */
  readonly concurrentRequests?: number | undefined;
  /** Bytes of request bodies at a time; beyond them 503. @default 64 MiB */
  readonly bufferedBytes?: number | undefined;
  /**
   * Handlers running at a time; further ones wait. The events of one delivery take at most a quarter
   * of them, or 4 if that is more, so that a large batch does not hold up the others.
   * @default 64
   */
  readonly concurrentHandlers?: number | undefined;
}

/** The options of the webhook of a binding. */
export interface WebhookOptions<
  P extends EventPayloads = EventPayloads,
  M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> extends HandlingOptions<P, M> {
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
   * Path to serve, when an ingress rewrites the public one.
   * @default the binding's path, or the path of its `subscriberEndpoint`
   */
  readonly path?: string | undefined;
  /**
   * What to do with an event of another event subscription, or of another Azure resource, than the
   * binding's: it is logged and counted, and then handled like others, or rejected with 400. Event Grid
   * never delivers a rejected event again. Nothing is compared if the binding has neither
   * `eventSubscriptionName` nor `scope`; events of a topic may have any `source`.
   * @default "accept"
   */
  readonly unexpectedSource?: "accept" | "reject" | undefined;
  /**
   * When a delivery is answered with 503 although its handlers have not finished, in milliseconds
   * after it was accepted. Event Grid waits 30 s, of which fetching a key may have taken 4.
   * @default 25_000
   */
  readonly deadlineMs?: number | undefined;
  /**
   * How long deliveries are still accepted after readiness went off, in milliseconds: the time that
   * a load balancer needs to notice.
   * @default 5_000 with `createListener`, otherwise 0; in `listener.add` that of the listener
   */
  readonly drainLagMs?: number | undefined;
  /** How much is accepted, and handled, at a time. */
  readonly limits?: ListenerLimits | undefined;
  /** Which origins get consent. */
  readonly handshake?: HandshakeSettings | undefined;
  /** Which tokens are accepted. */
  readonly authentication?: AuthenticationSettings | undefined;
}

/** The options of `createListener`. */
export interface ListenerOptions<
  P extends EventPayloads = EventPayloads,
  M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> extends WebhookOptions<P, M>,
    ProcessOptions {
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
  /**
   * Whether to serve the health routes: `/healthz` answers 503 only when the process should be
   * restarted, `/readyz` answers 200 while deliveries are accepted.
   * @default true
   */
  readonly health?: boolean | undefined;
}

/** A webhook's options with its binding. */
export type BoundOptions = AnyCatalogue<WebhookOptions> & {
  readonly binding: InputRuntimeBinding;
};

export const KEY_TIMEOUT_MS = 4_000;

const hostName = predicateRule({
  requirement: {
    "host-name": "must be a host name such as eventgrid.azure.net, without https:// and wildcards",
  },
  test: (value) => typeof value === "string" && /^[\w.-]+(?::\d+)?$/.test(value),
});
const reason = predicateRule({
  requirement: { reason: 'must be an object with the reason: { reason: "…" }' },
  test: (value) => isObject(value) && nonEmptyString.test(value.reason),
});
// The deadline runs from when the token was judged, for which a key may have been fetched.
const deadline = predicateRule({
  requirement: {
    "delivery-timeout":
      "must be from 1 to 25999 milliseconds, because Event Grid waits 30 s for a response, of which fetching a signing key may take 4",
  },
  test: (value) =>
    typeof value === "number" &&
    value >= 1 &&
    value + KEY_TIMEOUT_MS < AZURE_LIMITS.deliveryTimeoutMs,
});

export const webhookOptions = {
  ...handlingOptions,
  schema: { check: choiceRule("cloudevents", "eventgrid"), default: "cloudevents" },
  path: { check: unchecked },
  unexpectedSource: { check: choiceRule("accept", "reject"), default: "accept" },
  deadlineMs: { check: deadline, default: 25_000 },
  drainLagMs: { check: delayMs, default: 0 },
  limits: {
    options: {
      requestBytes: { check: positiveInteger, default: 2 * MIB },
      concurrentRequests: { check: positiveInteger, default: 256 },
      bufferedBytes: { check: positiveInteger, default: 64 * MIB },
      concurrentHandlers: { check: positiveInteger, default: 64 },
    },
  },
  handshake: {
    options: {
      allowedOrigins: {
        check: listOf(hostName, {
          of: "host names",
          whenEmpty: "is empty: no handshake would ever be accepted",
        }),
      },
    },
  },
  authentication: {
    options: {
      audiences: { check: listOf(nonEmptyString, { of: "strings" }) },
      callers: {
        check: listOf(uuidRule, {
          of: "UUIDs",
          whenEmpty: "is empty: no token would ever be accepted",
        }),
      },
      acceptWithoutRole: { check: reason },
    },
  },
} satisfies OptionTable<WebhookOptions>;

/** The options of a listener that a webhook does not have. */
export type ServerOptions = Omit<ListenerOptions, keyof WebhookOptions>;

export const serverOptions = {
  ...processOptions,
  host: { check: nonEmptyString, default: "0.0.0.0" },
  port: { check: integerRule(0, 65_535) },
  health: { check: boolean, default: true },
} satisfies OptionTable<ServerOptions>;

export function serverSettings(options: ServerOptions) {
  return withDefaults(serverOptions, options);
}

/** The options with every default filled in. */
export type WebhookSettings = ReturnType<typeof settingsOf>;

export function settingsOf(options: AnyCatalogue<WebhookOptions>, cloud: CloudEnvironment) {
  const settings = withDefaults(webhookOptions, options);
  const { eventGridApplicationId: eventGrid } = cloud;
  return {
    ...settings,
    allowedOrigins: settings.handshake.allowedOrigins ?? cloud.handshakeOrigins,
    callers: settings.authentication.callers ?? (eventGrid === undefined ? [] : [eventGrid]),
  };
}
