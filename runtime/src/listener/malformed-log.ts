import type { Received } from "../events/envelope.js";
import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { Delivery } from "./delivery.js";
import { MOST_NAMED, problemsOf } from "./received.js";

/**
 * Says in one line of the log which of a delivery's events are none, and why: how many they are is
 * decided by who sent them.
 */
export function logMalformed({ received, log }: Delivery): void {
  if (!received.some(isMalformed)) return;
  const malformed = received.flatMap((one, index) =>
    isMalformed(one) ? [{ index, problems: problemsOf(one) }] : [],
  );
  const line =
    malformed.length === 1
      ? malformed[0]
      : { malformed: malformed.length, events: malformed.slice(0, MOST_NAMED) };
  log.warn(line, "not a CloudEvent");
}

function isMalformed(one: Received): one is InvalidEnvelopeError {
  return one instanceof InvalidEnvelopeError;
}
