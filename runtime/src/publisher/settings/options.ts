import type { Clock } from "../../clock.js";
import type { EventCatalogue, EventPayloads } from "../../events/index.js";
import type { TelemetryProviders } from "../../instrumentation.js";
import type { CredentialOptions, TransportOptions } from "../../transport/index.js";

/** Limits of a publisher's queue and requests. */
export interface PublisherLimits {
  /** Size of an event in bytes of JSON; larger events are refused. @default 1_049_600, or 1_048_574 for a namespace, the service's limit */
  readonly eventBytes?: number | undefined;
  /** Size of a request in bytes; larger arrays are split. @default 1_536_000, or 1_048_576 for a namespace, the service's limit */
  readonly requestBytes?: number | undefined;
  /** Events in one request. @default 1000 */
  readonly requestEvents?: number | undefined;
  /** Requests at a time. Further events wait and share the next one. @default 4 */
  readonly concurrentRequests?: number | undefined;
  /** Events of calls that are not settled; `whenFull` decides what happens beyond. @default 10_000 */
  readonly bufferedEvents?: number | undefined;
  /** Their size in bytes. @default 64 MiB */
  readonly bufferedBytes?: number | undefined;
}

/** How failed requests are sent again. */
export interface RetrySettings {
  /** Attempts in total; 1 disables retries. @default 5 */
  readonly attempts?: number | undefined;
  /** Delay before the second attempt, in milliseconds; it doubles each time, half of it is random. @default 250 */
  readonly firstDelayMs?: number | undefined;
  /** Longest delay in milliseconds, unless the topic asks for more. @default 10_000 */
  readonly maxDelayMs?: number | undefined;
}

/** Options of {@link createPublisher}. */
export interface PublisherOptions<P extends EventPayloads = EventPayloads>
  extends CredentialOptions {
  /** The event types that may be published; they type `create`. @default any type, any payload */
  readonly events?: EventCatalogue<P> | undefined;
  /** URI reference used as the source of events without one. @default the binding's name */
  readonly source?: string | undefined;
  /** Whether payloads are checked with the catalogue's schemas before they are sent. @default true */
  readonly checkPayloads?: boolean | undefined;
  /** Time for a call, including waits and retries, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Time for one attempt, in milliseconds: obtaining the key or token, connecting, and the response.
   * @default 20_000
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** How failed requests are sent again. */
  readonly retry?: RetrySettings | undefined;
  /** Limits of a publisher's queue and requests. */
  readonly limits?: PublisherLimits | undefined;
  /**
   * Whether a call beyond `limits.bufferedEvents` or `limits.bufferedBytes` waits for room, or fails
   * with `ERR_PUBLISH_QUEUE_FULL`. Waiting calls keep their events in memory.
   * @default "wait"
   */
  readonly whenFull?: "wait" | "fail" | undefined;
  /** How requests reach the topic: proxy, TLS, or a dispatcher of undici. */
  readonly transport?: TransportOptions | undefined;
  /** @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
  /** Time and timers, for tests. @default the machine's clock */
  readonly clock?: Clock | undefined;
}

/** The options without the types of a catalogue. */
export type AnyPublisherOptions = Omit<PublisherOptions, "events"> & {
  readonly events?: Pick<EventCatalogue<EventPayloads>, "types" | "schemas"> | undefined;
};
