import { setImmediate } from "node:timers/promises";
import type { Received } from "../../events/envelope/index.js";
import { EventClaims } from "../deduplication/index.js";
import type { Delivery } from "../intake/index.js";
import { eventNames, MAX_LISTED } from "../telemetry/index.js";
import { type EventServices, handleEvent } from "./handle-event.js";
import { isMalformed } from "./read-events.js";

/**
 * Handles the events of a delivery, at most `concurrency` at a time. Puts the outcome of each into
 * the delivery's `outcomes`. Never rejects.
 *
 * An event that occurs twice in the delivery is handled once.
 */
export function handleEvents(
  delivery: Delivery,
  services: EventServices,
  concurrency: number,
): Promise<void> {
  const [only] = delivery.received;
  return only !== undefined && delivery.received.length === 1
    ? handleSingle(only, delivery, services)
    : handleBatch(delivery, services, concurrency);
}

async function handleSingle(
  element: Received,
  delivery: Delivery,
  services: EventServices,
): Promise<void> {
  const claims = claimsOf(delivery, services, () => true);
  delivery.outcomes[0] = await handleOne(element, delivery, 0, services, claims);
  const ending = claims?.end();
  if (ending !== undefined) await ending;
}

async function handleBatch(
  delivery: Delivery,
  services: EventServices,
  concurrency: number,
): Promise<void> {
  const { received, outcomes } = delivery;
  const firstOf = firstOccurrences(received);
  const claims = claimsOf(delivery, services, (index) => firstOf[index] === index);
  const claiming = claims?.claimTogether();
  if (claiming !== undefined) await claiming;
  const turn = new Turn();
  let next = 0;
  const work = async () => {
    while (next < received.length) {
      if (turn.isOver) await turn.end();
      const index = next;
      next += 1;
      const event = received[index];
      if (event === undefined || firstOf[index] !== index) continue;
      outcomes[index] = await handleOne(event, delivery, index, services, claims);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, received.length) }, work));
  await claims?.end();
  firstOf.forEach((first, index) => {
    outcomes[index] = outcomes[first] ?? "failed";
  });
}

function handleOne(
  element: Received,
  delivery: Delivery,
  index: number,
  services: EventServices,
  claims: EventClaims | undefined,
) {
  if (delivery.isOver) return "timed-out";
  if (!isMalformed(element)) return handleEvent(element.event, delivery, index, services, claims);
  services.metrics.event("none", "malformed");
  return "malformed";
}

/** The claims of the events that have a handler. */
function claimsOf(
  delivery: Delivery,
  { deduplication, handlers }: EventServices,
  isWanted: (index: number) => boolean,
): EventClaims | undefined {
  if (deduplication === undefined) return undefined;
  const { consumer } = deduplication;
  const keys = delivery.received.map((element, index) => {
    if (isMalformed(element) || !isWanted(index)) return undefined;
    const { type, source, id } = element.event;
    if (handlers.find(type) === undefined) return undefined;
    return { consumer, subscriptionName: delivery.subscriptionKey, source, id };
  });
  delivery.claims = new EventClaims(deduplication, keys, delivery.log);
  return delivery.claims;
}

/** For each event the position of the first one with the same source and ID. */
function firstOccurrences(received: readonly Received[]): number[] {
  const positions = new Map<string, Map<string, number>>();
  return received.map((element, index) => {
    if (isMalformed(element)) return index;
    const { event } = element;
    let ofSource = positions.get(event.source);
    if (ofSource === undefined) {
      ofSource = new Map();
      positions.set(event.source, ofSource);
    }
    const first = ofSource.get(event.id);
    if (first === undefined) ofSource.set(event.id, index);
    return first ?? index;
  });
}

/** How long a batch may run without letting timers and other requests have their turn. */
const MAX_TURN_MS = 20;

class Turn {
  #beganAt = performance.now();
  #ending: Promise<void> | undefined;

  get isOver(): boolean {
    return performance.now() - this.#beganAt > MAX_TURN_MS;
  }

  /** Resolves in the next turn of the event loop, for all that wait for it. */
  end(): Promise<void> {
    this.#ending ??= setImmediate().then(() => {
      this.#ending = undefined;
      this.#beganAt = performance.now();
    });
    return this.#ending;
  }
}

/**
 * Sets and counts the outcomes of events that are unfinished when the deadline passes.
 *
 * @returns the log line's fields: which events, and the patterns of their handlers
 */
export function timeOutUnfinished(delivery: Delivery, services: EventServices): object {
  const { received } = delivery;
  delivery.claims?.releaseUnused();
  if (received.length === 0) return { unfinished: "the body has not arrived" };
  const named: object[] = [];
  let unfinished = 0;
  // A copy: handlers that still run set their outcome in the original, too late for the response.
  const outcomes = [...delivery.outcomes];
  for (const [index, element] of received.entries()) {
    if (outcomes[index] !== undefined) continue;
    const event = isMalformed(element) ? undefined : element.event;
    outcomes[index] = "timed-out";
    unfinished += 1;
    const route = event && services.handlers.find(event.type);
    const pattern = route?.pattern ?? "none";
    services.metrics.event(pattern, "timed-out");
    if (event !== undefined && named.length < MAX_LISTED) {
      named.push({ ...eventNames(event), pattern });
    }
  }
  delivery.outcomes = outcomes;
  return { unfinished, events: named };
}
