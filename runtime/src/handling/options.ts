import type { CloudEvent, EventCatalogue, EventPayloads } from "../events/index.js";
import type { Log, TelemetryProviders } from "../observability.js";
import {
  anyOf,
  boolean,
  type Completed,
  type Composite,
  callable,
  choiceRule,
  durationMs,
  eventCatalogue,
  isObject,
  listOf,
  log,
  type OptionTable,
  predicateRule,
  problemsOf,
  signal,
  telemetry,
  unchecked,
} from "../validation/index.js";
import type { EventHandlers } from "./handlers.js";
import type { AddedBy, AnyMiddleware, InOrder } from "./middleware.js";
import type { DeduplicationStore } from "./store.js";

/** How events are handled, however they arrive. */
export interface HandlingOptions<
  P extends EventPayloads = EventPayloads,
  M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
> {
  /** Handlers by event type, by prefix (`"Microsoft.Storage.*"`) and for the rest (`"*"`). */
  readonly on: EventHandlers<P, AddedBy<M>>;
  /**
   * Middleware around every handler, in order. Put it before `on`, whose handlers see the values that
   * it adds.
   * @default none
   */
  readonly use?: (M & InOrder<M>) | undefined;
  /**
   * The event types of this service. Payloads are checked by their schema before a handler runs.
   * @default any type
   */
  readonly events?: EventCatalogue<P> | undefined;
  /**
   * What happens to an event that has no handler: it is acknowledged and counted, delivered again (a
   * webhook answers 503, a receiver releases it), or rejected for good.
   * @default "acknowledge"
   */
  readonly unhandled?: "acknowledge" | "retry" | "reject" | undefined;
  /**
   * Where handled events are remembered, so that they are not handled again; `false` turns that off.
   * A store has 5 s for an answer, or a webhook's `deadlineMs` if that is shorter; then the event is
   * delivered again.
   * @default a `MemoryDeduplication`
   */
  readonly deduplication?: DeduplicationStore | false | undefined;
  /**
   * What identifies an event within its `source` when it is delivered again: events with the same key
   * are handled once, `undefined` is never a duplicate. If it throws, the event is handled.
   * @default the event's `id`; `undefined` for telemetry of IoT Hub, whose messages may share an `id`
   */
  readonly deduplicationKey?: ((event: CloudEvent) => string | undefined) | undefined;
  /** OpenTelemetry providers. @default the globally registered providers */
  readonly telemetry?: TelemetryProviders | undefined;
}

/** Options without the types of a catalogue, for code that handles any event. */
export type AnyCatalogue<Options> = Omit<Options, "events"> & {
  readonly events?: Pick<EventCatalogue, "types" | "schemas"> | undefined;
};

/** Options of what has a process to itself. */
export interface ProcessOptions {
  /**
   * A logger such as pino's, or `false` for no log.
   * @default JSON lines as pino writes them, through `console`, from the level of `LOG_LEVEL` on
   * (`info`)
   */
  readonly logger?: Log | boolean | undefined;
  /**
   * Signals that close the listener or the receiver, such as `["SIGTERM", "SIGINT"]`. A second signal
   * ends the drain without waiting for handlers. The process is never exited; it ends by itself when
   * nothing else keeps it running.
   * @default none
   */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

const storeOrFalse = predicateRule({
  requirement: {
    "deduplication-store": "must be a store such as new MemoryDeduplication(), or false",
  },
  test: (value) => value === false || isStore(value),
});
const isStore = (value: unknown) =>
  isObject(value) &&
  [value.claim, value.settle, value.extend].every((method) => typeof method === "function");
const leaseMs = anyOf(
  { requirement: { "number-range": `${durationMs.requirement}, or Infinity` } },
  durationMs,
  choiceRule(Number.POSITIVE_INFINITY),
);
const storeCheck: Composite = {
  problems(field, value) {
    const problems = problemsOf(storeOrFalse, field, value);
    if (problems.length > 0 || !isObject(value)) return problems;
    return problemsOf(leaseMs, `${field}.leaseMs`, value.leaseMs);
  },
};

export const handlingOptions = {
  on: { check: unchecked },
  use: { check: listOf(callable, { of: "functions" }), default: [] },
  events: { check: eventCatalogue },
  unhandled: { check: choiceRule("acknowledge", "retry", "reject"), default: "acknowledge" },
  deduplication: { check: storeCheck },
  deduplicationKey: { check: callable },
  telemetry: { check: telemetry },
} satisfies OptionTable<HandlingOptions>;

/** The options with their defaults. */
export type HandlingSettings = Completed<AnyCatalogue<HandlingOptions>, typeof handlingOptions>;

export const processOptions = {
  logger: {
    check: anyOf({ requirement: { logger: `${log.requirement}, or false` } }, boolean, log),
  },
  signals: { check: listOf(signal, { of: "signals" }), default: [] },
} satisfies OptionTable<ProcessOptions>;
