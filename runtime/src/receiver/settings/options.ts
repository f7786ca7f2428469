import { AZURE_LIMITS } from "../../binding/rules/index.js";
import { type DeduplicationStore, deduplicationCheck } from "../../deduplication/index.js";
import type { CloudEvent, EventCatalogue, EventPayloads } from "../../events/index.js";
import type { AddedBy, AnyMiddleware, EventHandlers, InOrder } from "../../handling/index.js";
import { healthPaths } from "../../health.js";
import type { TelemetryProviders } from "../../instrumentation.js";
import type { Log } from "../../log.js";
import {
  type CredentialOptions,
  credentialOptions,
  type TransportOptions,
  transportOptions,
} from "../../transport/index.js";
import {
  anyOf,
  boolean,
  callable,
  choiceRule,
  delayMs,
  durationMs,
  eventCatalogue,
  group,
  integerRule,
  listOf,
  log,
  nonEmptyString,
  type OptionTable,
  positiveInteger,
  problem,
  required,
  routePath,
  signal,
  telemetry,
  unchecked,
} from "../../validation/index.js";

/** Options of `createReceiver`. */
export interface ReceiverOptions<
  P extends EventPayloads = EventPayloads,
  M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> extends CredentialOptions {
  /** The event types of this service. Payloads are checked by their schema before a handler runs. */
  readonly events?: EventCatalogue<P> | undefined;
  /** Handlers by event type, by prefix (`"Microsoft.Storage.*"`) and for the rest (`"*"`). */
  readonly on: EventHandlers<P, AddedBy<M>>;
  /**
   * Middleware around every handler, in order. Put it before `on`, whose handlers see the values that
   * it adds.
   * @default none
   */
  readonly use?: (M & InOrder<M>) | undefined;
  /** Handlers running at a time. @default 64 */
  readonly concurrency?: number | undefined;
  /**
   * Most events that wait for a handler, besides those whose handlers run. Fewer are received while
   * handlers take so long that locks could run out. 0 receives only what a handler is free for.
   * @default 100
   */
  readonly prefetch?: number | undefined;
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
   * Where handled events are remembered, so that they are not handled again; `false` turns that off.
   * A store has 5 s for an answer; then the event is delivered again.
   * @default a `MemoryDeduplication`
   */
  readonly deduplication?: DeduplicationStore | false | undefined;
  /**
   * What identifies an event within its `source` when it is delivered again: events with the same key
   * are handled once, `undefined` is never a duplicate. If it throws, the event is handled.
   * @default the event's `id`; `undefined` for telemetry of IoT Hub, whose messages may share an `id`
   */
  readonly deduplicationKey?: ((event: CloudEvent) => string | undefined) | undefined;
  /** Time for one request, besides the wait for events, in milliseconds. @default 20_000 */
  readonly attemptTimeoutMs?: number | undefined;
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
}

/** The delays that the service knows, in seconds. */
export type ReleaseDelay = 0 | 10 | 60 | 600 | 3600;

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

const { receiveWaitSeconds, releaseDelaySeconds } = AZURE_LIMITS;
const retryDelaysSeconds: readonly ReleaseDelay[] = [10, 60, 600, 3600];

const healthCheck = group<ReceiverHealth>(
  {
    port: required(integerRule(0, 65_535)),
    host: nonEmptyString,
    live: routePath,
    ready: routePath,
  },
  {
    together: (paths, field) => {
      const { live, ready } = healthPaths(paths);
      const message = `is ${ready}, the path of ${field}.live: choose a different path`;
      return live === ready ? [problem(`${field}.ready`, "own-path", message)] : [];
    },
  },
);

/** Each option of a receiver. */
export const receiverOptions = {
  on: {
    check: unchecked,
    defaultText: "required",
    text: 'handlers by event type, prefix and `"*"`',
  },
  use: {
    check: listOf(callable, { of: "functions" }),
    default: [],
    defaultText: "none",
    text: "[middleware](listener.md#middleware) around every handler, in order",
  },
  events: {
    check: eventCatalogue,
    defaultText: "any type",
    text: "the [catalogue](events.md); schemas check payloads before a handler runs",
  },
  ...credentialOptions,
  concurrency: { check: positiveInteger, default: 64, text: "handlers running at a time" },
  prefetch: {
    check: integerRule(0, 10_000),
    default: 100,
    text: "most events that wait for a handler; 0 receives only what a handler is free for",
  },
  maxWaitSeconds: {
    check: integerRule(receiveWaitSeconds.min, receiveWaitSeconds.max),
    default: 60,
    text: "how long a request waits for the first event: 10 to 120 seconds",
  },
  retryDelaysSeconds: {
    check: listOf(choiceRule(...releaseDelaySeconds), {
      of: "delays in seconds",
      whenEmpty: "is empty: it needs the delay after the first delivery",
    }),
    default: retryDelaysSeconds,
    defaultText: "`[10, 60, 600, 3600]`",
    text: "when an event is delivered again after its first, second … delivery failed; Event Grid accepts 0, 10, 60, 600 and 3600",
  },
  unhandled: {
    check: choiceRule("acknowledge", "retry", "reject"),
    default: "acknowledge",
    text: "what happens to events without a handler",
  },
  deduplication: {
    check: deduplicationCheck,
    defaultText: "in memory",
    text: "a [store](replicas.md), or `false`",
  },
  deduplicationKey: {
    check: callable,
    defaultText: "the event's `id`",
    text: "[what counts as a duplicate](replicas.md#what-counts-as-a-duplicate)",
  },
  attemptTimeoutMs: {
    check: durationMs,
    default: 20_000,
    text: "time for one request, besides the wait for events",
  },
  drainTimeoutMs: {
    check: delayMs,
    default: 25_000,
    text: "how long a drain waits for handlers",
  },
  signals: {
    check: listOf(signal, { of: "signals" }),
    defaultText: "none",
    text: "signals that close the receiver",
  },
  health: {
    check: healthCheck,
    defaultText: "none",
    text: "`{ port, host, live, ready }` of the [health routes](receiver.md#close-and-health)",
  },
  transport: { options: transportOptions },
  logger: {
    check: anyOf({ name: "logger", requirement: `${log.requirement}, or false` }, boolean, log),
    defaultText: "JSON lines on the console, from the level in `LOG_LEVEL` (`info`) on",
    text: "a logger such as pino's, or `false`",
  },
  telemetry: {
    check: telemetry,
    defaultText: "the global providers",
    text: "[OpenTelemetry providers](observability.md)",
  },
} satisfies OptionTable<ReceiverOptions>;
