import { setImmediate } from "node:timers/promises";
import type { Attributes, TracerProvider } from "@opentelemetry/api";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { CloudEventGridError } from "../errors.js";
import { MalformedEvent, type Received } from "../events/envelope/index.js";
import type { CloudEvent, EventCatalogue } from "../events/index.js";
import { eventNames, type Log, loggableError, MAX_LISTED } from "../observability.js";
import { describeIssues } from "../payload-problems.js";
import type { Clock } from "../time.js";
import { Deduplication, EventClaims } from "./deduplication.js";
import {
  DeliveredEventContext,
  type EventDelivery,
  type Outcome,
  RejectEvent,
} from "./event-context.js";
import { HandlerSlots, HandlerTable, type Route } from "./handlers.js";
import type { HandlingSettings } from "./options.js";
import {
  type DeduplicationKey,
  deduplicationKey,
  type EventKey,
  MemoryDeduplication,
} from "./store.js";
import { type HandlingMetrics, startEventSpan } from "./telemetry.js";

/**
 * Handles the events of a delivery, at most `concurrency` at a time. Puts the outcome of each into
 * the delivery's `outcomes`. Never rejects.
 *
 * An event that occurs twice in the delivery is handled once.
 */
export function handleEvents(
  delivery: EventDelivery,
  dependencies: EventDependencies,
  concurrency: number,
): Promise<void> {
  const [only] = delivery.received;
  return only !== undefined && delivery.received.length === 1
    ? handleSingle(only, delivery, dependencies)
    : handleBatch(delivery, dependencies, concurrency);
}

async function handleSingle(
  element: Received,
  delivery: EventDelivery,
  dependencies: EventDependencies,
): Promise<void> {
  const key = dependencies.deduplication && deduplicationKeyOf(element, delivery, dependencies);
  // A store in memory leaves nothing to wait for, and awaiting nothing costs a turn as well.
  const claiming = claim(delivery, dependencies, [key]);
  if (claiming !== undefined) await claiming;
  delivery.outcomes[0] = await handleElement(element, delivery, 0, dependencies);
  const ending = delivery.claims?.end();
  if (ending !== undefined) await ending;
}

async function handleBatch(
  delivery: EventDelivery,
  dependencies: EventDependencies,
  concurrency: number,
): Promise<void> {
  const { received, outcomes } = delivery;
  const pause = new Pause(dependencies.timer);
  const keys = received.map((element) => deduplicationKeyOf(element, delivery, dependencies));
  await claim(delivery, dependencies, keys);
  // A store that has just claimed an event says so, which spares looking up every key once more.
  const isUnique = delivery.claims?.hasRunning === false;
  const firstOf = isUnique ? undefined : firstOccurrences(keys);
  let next = 0;
  const work = async () => {
    while (next < received.length) {
      if (pause.isDue) await pause.take();
      const index = next;
      next += 1;
      const event = received[index];
      if (event === undefined || (firstOf?.[index] ?? index) !== index) continue;
      outcomes[index] = await handleElement(event, delivery, index, dependencies);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, received.length) }, work));
  await delivery.claims?.end();
  firstOf?.forEach((first, index) => {
    outcomes[index] = outcomes[first] ?? "failed";
  });
}

function handleElement(
  element: Received,
  delivery: EventDelivery,
  index: number,
  dependencies: EventDependencies,
) {
  if (delivery.isOverdue) return "timed-out";
  if (!isMalformed(element)) return handleEvent(element.event, delivery, index, dependencies);
  dependencies.metrics.event("none", "malformed");
  return "malformed";
}

/** Returns the key that identifies an event; `undefined` if it has no handler, or is never a duplicate. */
function deduplicationKeyOf(
  element: Received,
  { log, subscriptionKey }: EventDelivery,
  { deduplication, deduplicationKey, handlers }: EventDependencies,
): EventKey | undefined {
  if (isMalformed(element) || handlers.find(element.event.type) === undefined) return undefined;
  const id = deduplicationKey(element.event, log);
  if (id === undefined) return undefined;
  const consumer = deduplication?.consumer ?? "";
  return { consumer, subscriptionKey, source: element.event.source, id };
}

/** @param keys of the events, by their position; `undefined` for those that need no claim */
function claim(
  delivery: EventDelivery,
  { deduplication }: EventDependencies,
  keys: readonly (EventKey | undefined)[],
): Promise<void> | undefined {
  if (deduplication === undefined) return undefined;
  delivery.claims = new EventClaims(deduplication, keys, delivery.log);
  return delivery.claims.claim();
}

/** For each event the position of the first one with the same source and ID. */
function firstOccurrences(keys: readonly (EventKey | undefined)[]): number[] {
  const positions = new Map<string, Map<string, number>>();
  return keys.map((key, index) => {
    if (key === undefined) return index;
    let ofSource = positions.get(key.source);
    if (ofSource === undefined) {
      ofSource = new Map();
      positions.set(key.source, ofSource);
    }
    const first = ofSource.get(key.id) ?? index;
    ofSource.set(key.id, first);
    return first;
  });
}

/** How long a batch may run without letting timers and other requests have their turn. */
const MAX_UNINTERRUPTED_MS = 20;

class Pause {
  #resumedAtMs: number;
  #calls = 0;
  #pausing: Promise<void> | undefined;

  constructor(private readonly timer: Clock) {
    this.#resumedAtMs = timer.now();
  }

  /** Reports whether to pause before the next event. Every fourth call reads the clock, which takes long. */
  get isDue(): boolean {
    if (this.#pausing !== undefined) return true;
    this.#calls += 1;
    if (this.#calls % 4 !== 0) return false;
    return this.timer.now() - this.#resumedAtMs > MAX_UNINTERRUPTED_MS;
  }

  /** Resolves in the next turn of the event loop, for all that wait for it. */
  take(): Promise<void> {
    this.#pausing ??= setImmediate().then(() => {
      this.#pausing = undefined;
      this.#resumedAtMs = this.timer.now();
    });
    return this.#pausing;
  }
}

/**
 * Sets and counts the outcomes of events that are unfinished when the deadline passes.
 *
 * @returns the log line's fields: which events, and the patterns of their handlers
 */
export function timeOutUnfinished(
  delivery: EventDelivery,
  dependencies: EventDependencies,
): object {
  const { received } = delivery;
  delivery.claims?.releaseWaiting();
  if (received.length === 0) return { unfinished: "the body has not arrived" };
  const listed: object[] = [];
  let unfinished = 0;
  // A copy: handlers that still run set their outcome in the original, too late for the response.
  const outcomes = [...delivery.outcomes];
  for (const [index, element] of received.entries()) {
    if (outcomes[index] !== undefined) continue;
    const event = isMalformed(element) ? undefined : element.event;
    outcomes[index] = "timed-out";
    unfinished += 1;
    const route = event && dependencies.handlers.find(event.type);
    const pattern = route?.pattern ?? "none";
    dependencies.metrics.event(pattern, "timed-out");
    if (event !== undefined && listed.length < MAX_LISTED) {
      listed.push({ ...eventNames(event), pattern });
    }
  }
  delivery.outcomes = outcomes;
  return { unfinished, events: listed };
}

export function isMalformed(event: Received): event is MalformedEvent {
  return event instanceof MalformedEvent;
}

/**
 * Handles one event: compares it with the binding, takes a handler slot, checks the payload, looks at
 * the claim, calls the handler and settles the claim. Never rejects.
 */
async function handleEvent(
  received: CloudEvent,
  delivery: EventDelivery,
  index: number,
  dependencies: EventDependencies,
): Promise<Outcome> {
  const { handlers, slots, schemas, metrics } = dependencies;
  const route = handlers.find(received.type);
  if (dependencies.expectedSource?.rejects(received, delivery)) {
    metrics.event(route?.pattern ?? "none", "rejected");
    return "rejected";
  }
  if (route === undefined) return withoutHandler(received, delivery, dependencies);

  if (!slots.tryTake()) await slots.takeNext();
  try {
    if (delivery.isOverdue) return ended("timed-out", route, delivery, dependencies);

    const schema = schemas?.get(received.type);
    const event =
      schema === undefined ? received : await withValidPayload(received, schema, delivery.log);
    if (event === undefined) return ended("rejected", route, delivery, dependencies);

    // The schema may have taken all the time until the deadline.
    if (delivery.isOverdue) return ended("timed-out", route, delivery, dependencies);

    const claim = delivery.claims?.begin(index);
    if (claim === "done") return ended("duplicate", route, delivery, dependencies);
    if (claim === "running") return ended("in-progress", route, delivery, dependencies);

    const startedAtMs = metrics.now();
    const { deduplicationKey: keyOf } = dependencies;
    const context = new DeliveredEventContext({ delivery, event, received, keyOf }, index);
    const { subscriptionName } = delivery;
    const { tracerProvider, destination } = dependencies;
    const span = startEventSpan(tracerProvider, event, subscriptionName, destination);
    metrics.handlerStarted(route.pattern, event);
    let outcome: Outcome = "handled";
    try {
      await (span ? span.run(() => route.handler(event, context)) : route.handler(event, context));
    } catch (error) {
      outcome = outcomeOfError(error, event, delivery);
    }
    span?.end(outcome);
    metrics.handlerEnded(route.pattern, outcome, startedAtMs);
    delivery.claims?.settle(index, outcome === "handled");
    return ended(outcome, route, delivery, dependencies);
  } catch (error) {
    const line = { err: loggableError(error), event: eventNames(received) };
    delivery.log.error(line, "event could not be processed");
    return ended("failed", route, delivery, dependencies);
  }
}

/** Releases the event's slot. Not a closure: one for each event would cost more. */
function ended(
  outcome: Outcome,
  route: Route,
  delivery: EventDelivery,
  { metrics, slots }: EventDependencies,
): Outcome {
  slots.release();
  // The deadline has already counted the events that it found unfinished.
  if (!delivery.isOverdue) metrics.event(route.pattern, outcome);
  return outcome;
}

function withoutHandler(
  event: CloudEvent,
  delivery: EventDelivery,
  { unhandled, metrics }: EventDependencies,
): Outcome {
  const outcome = outcomeWithoutHandler[unhandled];
  metrics.event("none", outcome);
  const line = { event: eventNames(event), outcome };
  delivery.log[outcome === "unhandled" ? "debug" : "warn"](line, "no handler for this event type");
  return outcome;
}

const outcomeWithoutHandler = {
  acknowledge: "unhandled",
  retry: "deferred",
  reject: "rejected",
} as const;

/** The event with its payload as the schema returns it; `undefined` if the payload is invalid. */
async function withValidPayload(
  event: CloudEvent,
  schema: StandardSchemaV1,
  log: Log,
): Promise<CloudEvent | undefined> {
  const result = await schema["~standard"].validate(event.data);
  if (result.issues !== undefined) {
    const problems = describeIssues(result.issues).map(({ message }) => message);
    log.warn({ event: eventNames(event), problems }, "payload does not match its schema");
    return undefined;
  }
  return result.value === event.data ? event : { ...event, data: result.value };
}

function outcomeOfError(error: unknown, event: CloudEvent, delivery: EventDelivery): Outcome {
  // The answer of an inbox, as "running" is that of a store.
  if (error instanceof CloudEventGridError && error.code === "ERR_INBOX_BUSY") return "in-progress";
  const line = { err: loggableError(error), event: eventNames(event) };
  if (error instanceof RejectEvent) {
    delivery.log.warn(line, "event rejected by its handler");
    return "rejected";
  }
  delivery.log.error(line, "handler failed");
  return delivery.isOverdue ? "timed-out" : "failed";
}

/** Decides about an event before anything else does. */
interface EventCheck {
  rejects(event: CloudEvent, delivery: EventDelivery): boolean;
}

export interface EventDependencies {
  readonly handlers: HandlerTable;
  readonly unhandled: "acknowledge" | "retry" | "reject";
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly slots: HandlerSlots;
  /** `undefined` where events cannot come from elsewhere. */
  readonly expectedSource: EventCheck | undefined;
  readonly deduplicationKey: DeduplicationKey;
  /** `undefined` when handled events are not remembered. */
  readonly deduplication: Deduplication | undefined;
  readonly metrics: HandlingMetrics;
  readonly timer: Clock;
  readonly tracerProvider: TracerProvider | undefined;
  /** Where the events were published, in attributes of OpenTelemetry's semantic conventions. */
  readonly destination: Attributes;
}

/** The dependencies that a listener and a receiver do not have in common. */
interface IntakeDependencies
  extends Pick<EventDependencies, "expectedSource" | "metrics" | "timer" | "destination"> {
  readonly concurrentHandlers: number;
  /** See {@link EventKey}. */
  readonly consumer: string;
  /** Timeout of the deduplication store's calls. */
  readonly storeTimeoutMs: number;
  readonly log: Log;
}

export function eventDependencies(
  settings: HandlingSettings,
  { concurrentHandlers, consumer, storeTimeoutMs, log, ...others }: IntakeDependencies,
): EventDependencies {
  const { deduplication: store = new MemoryDeduplication() } = settings;
  const { timer } = others;
  return {
    handlers: new HandlerTable(settings.on, settings.use),
    unhandled: settings.unhandled,
    schemas: settings.events?.schemas,
    slots: new HandlerSlots(concurrentHandlers, timer),
    deduplicationKey: deduplicationKey(settings.deduplicationKey),
    deduplication:
      store === false ? undefined : new Deduplication(store, consumer, storeTimeoutMs, timer, log),
    tracerProvider: settings.telemetry?.tracerProvider,
    ...others,
  };
}
