import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { Delivery } from "./delivery.js";
import type { HandlerTable } from "./handlers.js";
import type { ListenerMetrics } from "./metrics.js";
import { MOST_NAMED, nameOf } from "./received.js";

/**
 * Marks what the deadline found unfinished as timed out, and counts it.
 *
 * @returns what the log says of it: which events, and under which pattern their handler stands
 */
export function expiryOf(
  delivery: Delivery,
  handlers: HandlerTable,
  metrics: ListenerMetrics,
): object {
  const { received } = delivery;
  if (received.length === 0) return { unfinished: "the body has not arrived" };
  const named: object[] = [];
  let unfinished = 0;
  // A copy: handlers that still run put theirs into the other one, too late for the answer.
  const outcomes = [...delivery.outcomes];
  for (const [index, event] of received.entries()) {
    if (outcomes[index] !== undefined) continue;
    outcomes[index] = "timed-out";
    unfinished += 1;
    const isEvent = !(event instanceof InvalidEnvelopeError);
    const pattern = isEvent ? (handlers.find(event.type)?.pattern ?? "none") : "none";
    metrics.event(pattern, "timed-out");
    if (isEvent && named.length < MOST_NAMED) named.push({ ...nameOf(event), pattern });
  }
  delivery.outcomes = outcomes;
  return { unfinished, events: named };
}
