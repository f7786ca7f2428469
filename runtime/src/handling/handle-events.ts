import { setImmediate } from "node:timers/promises";
import { EventClaims } from "../deduplication/index.js";
import { MalformedEvent, type Received } from "../events/envelope/index.js";
import { eventNames, MAX_LISTED } from "../log.js";
import type { Timer } from "../timer.js";
import type { EventDelivery } from "./event-delivery.js";
import { type EventDependencies, handleEvent } from "./handle-event.js";

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
  const key = dependencies.deduplication && keyOf(element, delivery, dependencies);
  const claims = claimsOf(delivery, dependencies, [key]);
  await claims?.claim();
  delivery.outcomes[0] = await handleElement(element, delivery, 0, dependencies, claims);
  await claims?.end();
}

async function handleBatch(
  delivery: EventDelivery,
  dependencies: EventDependencies,
  concurrency: number,
): Promise<void> {
  const { received, outcomes } = delivery;
  const pause = new Pause(dependencies.timer);
  const keys = received.map((element) => keyOf(element, delivery, dependencies));
  const firstOf = firstOccurrences(received, keys);
  const firstKeys = keys.map((key, index) => (firstOf[index] === index ? key : undefined));
  const claims = claimsOf(delivery, dependencies, firstKeys);
  await claims?.claim();
  let next = 0;
  const work = async () => {
    while (next < received.length) {
      if (pause.isDue) await pause.take();
      const index = next;
      next += 1;
      const event = received[index];
      if (event === undefined || firstOf[index] !== index) continue;
      outcomes[index] = await handleElement(event, delivery, index, dependencies, claims);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, received.length) }, work));
  await claims?.end();
  firstOf.forEach((first, index) => {
    outcomes[index] = outcomes[first] ?? "failed";
  });
}

function handleElement(
  element: Received,
  delivery: EventDelivery,
  index: number,
  dependencies: EventDependencies,
  claims: EventClaims | undefined,
) {
  if (delivery.isOverdue) return "timed-out";
  if (!isMalformed(element))
    return handleEvent(element.event, delivery, index, dependencies, claims);
  dependencies.metrics.event("none", "malformed");
  return "malformed";
}

/** What identifies an event within its source; `undefined` if it has no handler. */
function keyOf(
  element: Received,
  { log }: EventDelivery,
  { deduplicationKey, handlers }: EventDependencies,
): string | undefined {
  if (isMalformed(element) || handlers.find(element.event.type) === undefined) return undefined;
  return deduplicationKey(element.event, log);
}

/** @param ids what identifies the events; `undefined` for those that need no claim */
function claimsOf(
  delivery: EventDelivery,
  { deduplication }: EventDependencies,
  ids: readonly (string | undefined)[],
): EventClaims | undefined {
  if (deduplication === undefined) return undefined;
  const { consumer } = deduplication;
  const { subscriptionKey: subscriptionName } = delivery;
  const keys = delivery.received.map((element, index) => {
    const id = ids[index];
    if (isMalformed(element) || id === undefined) return undefined;
    return { consumer, subscriptionName, source: element.event.source, id };
  });
  delivery.claims = new EventClaims(deduplication, keys, delivery.log);
  return delivery.claims;
}

/** For each event the position of the first one with the same source and key. */
function firstOccurrences(
  received: readonly Received[],
  keys: readonly (string | undefined)[],
): number[] {
  const positions = new Map<string, Map<string, number>>();
  return received.map((element, index) => {
    const key = keys[index];
    if (isMalformed(element) || key === undefined) return index;
    const { event } = element;
    let ofSource = positions.get(event.source);
    if (ofSource === undefined) {
      ofSource = new Map();
      positions.set(event.source, ofSource);
    }
    const first = ofSource.get(key);
    if (first === undefined) ofSource.set(key, index);
    return first ?? index;
  });
}

/** How long a batch may run without letting timers and other requests have their turn. */
const MAX_UNINTERRUPTED_MS = 20;

class Pause {
  readonly #timer: Timer;
  #resumedAtMs: number;
  #calls = 0;
  #pausing: Promise<void> | undefined;

  constructor(timer: Timer) {
    this.#timer = timer;
    this.#resumedAtMs = timer.now();
  }

  /** Whether to pause before the next event. Every fourth call reads the clock, which takes long. */
  get isDue(): boolean {
    if (this.#pausing !== undefined) return true;
    this.#calls += 1;
    if (this.#calls % 4 !== 0) return false;
    return this.#timer.now() - this.#resumedAtMs > MAX_UNINTERRUPTED_MS;
  }

  /** Resolves in the next turn of the event loop, for all that wait for it. */
  take(): Promise<void> {
    this.#pausing ??= setImmediate().then(() => {
      this.#pausing = undefined;
      this.#resumedAtMs = this.#timer.now();
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
