import type { Received } from "../events/envelope.js";
import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import { isPromise } from "../promise.js";
import type { Delivery } from "./delivery.js";
import type { EventProcessor } from "./event-processing.js";
import { Turn } from "./turn.js";

/**
 * Handles the events of one delivery, a few at a time.
 *
 * Events that are none, and those that come twice in the delivery, take no handler's time.
 *
 * What becomes of each is put into the delivery's `outcomes`.
 */
export async function processBatch(
  received: readonly Received[],
  delivery: Delivery,
  processor: EventProcessor,
  concurrency: number,
): Promise<void> {
  const { outcomes } = delivery;
  const firstOf = firstOccurrences(received);
  const turn = new Turn();
  let next = 0;
  const work = async () => {
    while (next < received.length) {
      if (turn.isOver) {
        await turn.end();
        continue;
      }
      const index = next;
      next += 1;
      const one = received[index];
      if (one === undefined || firstOf[index] !== index) continue;
      const outcome = delivery.isOver ? "timed-out" : processor.process(one, delivery, index);
      outcomes[index] = isPromise(outcome) ? await outcome : outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, received.length) }, work));
  firstOf.forEach((first, index) => {
    outcomes[index] = outcomes[first] ?? "failed";
  });
}

/** For each event the position of the first that is the same event: same source, same ID. */
function firstOccurrences(received: readonly Received[]): number[] {
  const positions = new Map<string, Map<string, number>>();
  return received.map((one, index) => {
    if (one instanceof InvalidEnvelopeError) return index;
    let ofSource = positions.get(one.source);
    if (ofSource === undefined) {
      ofSource = new Map();
      positions.set(one.source, ofSource);
    }
    const first = ofSource.get(one.id);
    if (first === undefined) ofSource.set(one.id, index);
    return first ?? index;
  });
}
