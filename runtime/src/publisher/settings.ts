import type { Clock } from "../clock.js";
import type { EventCatalogue, EventPayloads } from "../events/index.js";
import type { TelemetryProviders } from "../instrumentation.js";
import type { CredentialOptions } from "./credential-options.js";
import type { ClientOptions } from "./topic-client.js";

/** Sizes, in bytes on the wire. */
export interface PublishLimits {
  /** Largest event; larger ones are refused before anything is sent. @default 1_049_600, the service's */
  readonly eventBytes?: number;
  /** Largest request; what is more goes in several. @default 1_536_000, the service's */
  readonly requestBytes?: number;
  /** Most events in one request. @default 1000 */
  readonly requestEvents?: number;
}

/** How concurrent calls share requests. */
export interface BatchingSettings {
  /** Requests under way at a time; while there are as many, events wait and share the next. @default 4 */
  readonly requests?: number;
  /**
   * How long events wait for others to share a request with, in milliseconds, while another request
   * is under way. An idle publisher sends at once, whatever is set here.
   * @default 0
   */
  readonly lingerMs?: number;
}

/** How failed requests are repeated. */
export interface RetrySettings {
  /** Attempts in all; 1 repeats nothing. @default 5 */
  readonly attempts?: number;
  /** Wait before the second attempt, half of it by chance; doubled each time. In milliseconds. @default 250 */
  readonly firstDelayMs?: number;
  /** Longest wait of our own; the topic may ask for more. In milliseconds. @default 10_000 */
  readonly maxDelayMs?: number;
}

/** What may be on its way at a time. */
export interface QueueSettings {
  /** @default 10_000 */
  readonly events?: number;
  /** @default 64 MiB */
  readonly bytes?: number;
  /**
   * Whether a call beyond it waits for room, or fails with `ERR_PUBLISH_QUEUE_FULL`. Calls that wait
   * hold their events in memory, and are as many as the callers make.
   * @default "wait"
   */
  readonly whenFull?: "wait" | "fail";
}

/** How a publisher is made. */
export interface PublisherOptions<P extends EventPayloads = EventPayloads>
  extends CredentialOptions {
  /** The event types that may be published; they type `create`. @default any type, any payload */
  readonly events?: EventCatalogue<P>;
  /** URI reference that events come from, where they do not say. @default the binding's name */
  readonly source?: string;
  /** Whether payloads are checked with the catalogue's schemas before they are sent. @default true */
  readonly checkPayloads?: boolean;
  /** Time for a call to get its events accepted, retries and waiting included, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number;
  /**
   * Time for one attempt, in milliseconds: asking for the key or token, policies of your own,
   * connecting, and the answer.
   * @default 20_000
   */
  readonly attemptTimeoutMs?: number;
  /** How failed requests are repeated: five attempts, unless this says otherwise. */
  readonly retry?: RetrySettings;
  /** How calls share requests. */
  readonly batching?: BatchingSettings;
  /** How large events and requests may be, if that is not what the service takes. */
  readonly limits?: PublishLimits;
  /** What may be on its way at a time, and what a call beyond it does. */
  readonly queue?: QueueSettings;
  /** Options of the SDK's client: agent, proxy, TLS, policies of your own. */
  readonly client?: ClientOptions;
  /** @default the globally registered providers */
  readonly telemetry?: TelemetryProviders;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** A number from 0 to below 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /** Makes the `id` of an event that has none. @default crypto.randomUUID */
  readonly newId?: () => string;
}
