import type { EventCatalogue } from "../events/index.js";
import type { TelemetryProviders } from "../instrumentation.js";
import type { DeduplicationStore } from "./deduplication.js";
import type { VerifiedCaller } from "./event-context.js";
import type { EventHandlers } from "./handlers.js";
import type { ReceivingBinding } from "./listener-binding.js";

/** How the listener consents to being delivered to. */
export interface HandshakeSettings {
  /**
   * Origins that may deliver.
   * @default the origin of Event Grid in the binding's cloud, such as `eventgrid.azure.net`
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Requests per minute that are welcome.
   * @default "*", any number
   */
  readonly allowedRate?: number | "*";
  /**
   * Whether to also call the handshake's callback URL, after the answer. The answer alone is
   * consent enough for Event Grid. Only https URLs on hosts of the allowed origins are called.
   * @default false
   */
  readonly callback?: boolean;
}

/** Whom the listener lets in. */
export interface AuthenticationSettings {
  /**
   * App ID URIs that tokens may be issued for, besides the client ID.
   * @default none
   */
  readonly audiences?: readonly string[];
  /**
   * Application IDs that may deliver. To be given for the China cloud, where Event Grid's ID is
   * not published, and for delivery with a managed identity (the identity's client ID).
   * @default Event Grid's own application in the binding's cloud
   */
  readonly callers?: readonly string[];
  /**
   * Lets callers in whose token lacks the role `AzureEventGridSecureWebhookSubscriber`. Say why:
   * the reason is logged at start.
   */
  readonly acceptWithoutRole?: { readonly reason: string };
  /**
   * How far the clocks of issuer and listener may be apart, in seconds.
   * @default 60
   */
  readonly clockToleranceSeconds?: number;
  /**
   * Longest token that is looked at, in characters.
   * @default 8192
   */
  readonly maxTokenLength?: number;
  /** How the issuer's keys are kept. */
  readonly keys?: {
    /** Age at which they are fetched anew, in milliseconds. @default 10 minutes */
    readonly refreshMs?: number;
    /** Shortest time between two fetches for unknown keys, in milliseconds. @default 30 seconds */
    readonly cooldownMs?: number;
    /** How long they are trusted while the issuer is out of reach, in milliseconds. @default 24 hours */
    readonly maxStaleMs?: number;
    /** Patience with the issuer at each fetch, in milliseconds. A start waits for it no longer than 5 s. @default 4 seconds */
    readonly timeoutMs?: number;
  };
}

/** What the listener takes in at most. */
export interface LimitSettings {
  /** Largest body, in bytes; larger ones get 413. @default 2 MiB */
  readonly bodyBytes?: number;
  /** Most events in one delivery; more get 413. @default 5000, the most that Event Grid sends */
  readonly events?: number;
  /** Deliveries at a time; more get 503. @default 256 */
  readonly requests?: number;
  /** Bytes of their bodies together; beyond them 503. @default 64 MiB */
  readonly bytes?: number;
  /** Handlers running at a time, over all deliveries; others wait. @default 64 */
  readonly handlers?: number;
  /** Handlers running at a time for one batch. @default 16 */
  readonly handlersPerBatch?: number;
}

/** Tells that Event Grid stopped delivering to this webhook. */
export interface SubscriptionEnd {
  /** Event Grid's own word for it. */
  readonly kind: "SubscriptionDeletion" | "Unsubscribe";
  readonly subscriptionName: string | undefined;
  readonly caller: VerifiedCaller;
}

/** What can be set of a webhook besides its binding and its handlers. */
export interface WebhookSettings {
  /**
   * Path to listen on, where an ingress rewrites the public one.
   * @default the binding's path, or the path of its `subscriberEndpoint`
   */
  readonly path?: string;
  /** Who may ask for consent, and what is consented to. */
  readonly handshake?: HandshakeSettings;
  /** Whose tokens are let in. */
  readonly authentication?: AuthenticationSettings;
  /** How much is taken, and handled, at a time. */
  readonly limits?: LimitSettings;
  /**
   * When a delivery is answered with 503 whatever its handlers do, in milliseconds after it
   * was let in. Event Grid gives up after 30 s, of which fetching a key may have taken some.
   * @default 25_000
   */
  readonly deadlineMs?: number;
  /**
   * What becomes of events that no handler fits: acknowledged and counted; answered with 503, to
   * come again; or refused for good.
   * @default "acknowledge"
   */
  readonly unhandled?: "acknowledge" | "retry" | "reject";
  /**
   * Where handled events are remembered, so that they are not handled again; `false` to remember
   * none.
   * @default a `MemoryDeduplication`
   */
  readonly deduplication?: DeduplicationStore | false;
  /** Called when the subscription was deleted, before the answer; throwing lets the notice come again. */
  readonly onSubscriptionEnd?: (end: SubscriptionEnd) => unknown;
  /**
   * How long deliveries are still taken after readiness went off, in milliseconds: what the load
   * balancer needs to notice.
   * @default 0 with the plugin, 5_000 with the standalone server
   */
  readonly drainLagMs?: number;
  /** @default the globally registered providers */
  readonly telemetry?: TelemetryProviders;
  /** Fetches the issuer's documents. @default the global fetch */
  readonly fetch?: typeof fetch;
  /** The time, in milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

/** The options of the `eventGridWebhook` plugin. */
export interface WebhookOptions extends WebhookSettings {
  /** Props with an input half, or what `bindingFromEnvironment` gives. */
  readonly binding: ReceivingBinding;
  /** The event types this service deals in. Their schemas are checked before a handler runs. */
  readonly events?: Pick<EventCatalogue, "types" | "schemas">;
  /** Handlers by event type; `defineHandlers` types them by the catalogue. */
  readonly on: EventHandlers;
}
