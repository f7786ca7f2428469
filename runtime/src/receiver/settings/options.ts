import type { Clock } from "../../clock.js";
import type { DeduplicationStore } from "../../deduplication/index.js";
import type { CloudEvent, EventCatalogue, EventPayloads } from "../../events/index.js";
import type { EventHandlers } from "../../handling/index.js";
import type { TelemetryProviders } from "../../instrumentation.js";
import type { Log } from "../../log.js";
import type { CredentialOptions, TransportOptions } from "../../transport/index.js";

/** Options of `createReceiver`. */
export interface ReceiverOptions<P extends EventPayloads = EventPayloads>
  extends CredentialOptions {
  /** The event types of this service. Payloads are checked by their schema before a handler runs. */
  readonly events?: EventCatalogue<P> | undefined;
  /** Handlers by event type, by prefix (`"Microsoft.Storage.*"`) and for the rest (`"*"`). */
  readonly on: EventHandlers<P>;
  /** Handlers running at a time. @default 64 */
  readonly concurrency?: number | undefined;
  /**
   * Most events that wait for a handler, besides those whose handlers run. Fewer are received while
   * handlers take so long that locks could run out. 0 receives only what a handler is free for.
   * @default 100
   */
  readonly prefetch?: number | undefined;
  /** Most events in one request: 1 to 100. @default 100 */
  readonly maxEvents?: number | undefined;
  /** How long a request waits for the first event, in seconds: 10 to 120. @default 60 */
  readonly maxWaitSeconds?: number | undefined;
  /**
   * When an event is delivered again after its handler threw, in seconds: after the first delivery,
   * the second and so on; the last one repeats. The service knows 0, 10, 60, 600 and 3600.
   * @default [10, 60, 600, 3600]
   */
  readonly retryDelaysSeconds?: readonly ReleaseDelay[] | undefined;
  /**
   * What happens to an event that has no handler: it is acknowledged and counted, released and
   * delivered again, or rejected for good.
   * @default "acknowledge"
   */
  readonly unhandled?: "acknowledge" | "retry" | "reject" | undefined;
  /**
   * Whether an event that deviates from CloudEvents in an optional attribute is rejected. Otherwise it
   * is handled as it is, with a warning in the log.
   * @default false
   */
  readonly strict?: boolean | undefined;
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
  /** Timeout of each call of the deduplication store, in milliseconds. @default 5_000 */
  readonly deduplicationTimeoutMs?: number | undefined;
  /** Time for one request, besides the wait for events, in milliseconds. @default 20_000 */
  readonly attemptTimeoutMs?: number | undefined;
  /** How the receiver waits after a failed request, for as long as requests fail. */
  readonly retry?: ReceiveRetrySettings | undefined;
  /**
   * How long a drain waits for running handlers, in milliseconds. Then their events are released.
   * @default 25_000
   */
  readonly drainTimeoutMs?: number | undefined;
  /**
   * Signals that close the receiver, such as `["SIGTERM", "SIGINT"]`. A second signal ends the drain
   * without waiting for handlers. The process is never exited; it ends by itself when nothing else
   * keeps it running.
   * @default none
   */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
  /** A server for health routes. @default none */
  readonly health?: ReceiverHealth | undefined;
  /** How requests reach the namespace: proxy, TLS, or a dispatcher of undici. */
  readonly transport?: TransportOptions | undefined;
  /**
   * A logger such as pino's, or `false` for no log.
   * @default JSON lines as pino writes them, through `console`, from the level of `LOG_LEVEL` on
   * (`info`)
   */
  readonly logger?: Log | boolean | undefined;
  /** OpenTelemetry providers. @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
  /**
   * Decides when tokens expire and events are forgotten. Locks and waits always run in real time.
   * @default the machine's, which does not keep the process alive
   */
  readonly clock?: Clock | undefined;
}

/** The delays that the service knows, in seconds. */
export type ReleaseDelay = 0 | 10 | 60 | 600 | 3600;

/** How a receiver waits after a failed request. */
export interface ReceiveRetrySettings {
  /** The first wait, in milliseconds; it doubles each time, half of it is random. @default 250 */
  readonly firstDelayMs?: number | undefined;
  /** Longest wait in milliseconds, unless the namespace asks for more. @default 30_000 */
  readonly maxDelayMs?: number | undefined;
}

/** The server for the health routes of `createReceiver`. */
export interface ReceiverHealth {
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. @default "0.0.0.0", every IPv4 address */
  readonly host?: string | undefined;
  /** 503 only when the process should be restarted. @default "/healthz" */
  readonly live?: string | undefined;
  /** 200 while events are received. @default "/readyz" */
  readonly ready?: string | undefined;
}

/** The options without the types of a catalogue. */
export type AnyReceiverOptions = Omit<ReceiverOptions, "events"> & {
  readonly events?: Pick<EventCatalogue, "types" | "schemas"> | undefined;
};
