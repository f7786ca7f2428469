import { type Received, readStructured } from "../../events/envelope.js";
import { readBinary } from "../../events/envelope-headers.js";
import { InvalidEnvelopeError } from "../../events/envelope-problems.js";
import { type Delivery, Refusal } from "../intake/index.js";
import { MAX_LISTED, problemsOf } from "../telemetry/index.js";

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and why.
 *
 * @throws InvalidEnvelopeError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than `maxEvents`
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  maxEvents: number,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.request.raw;
  const events =
    delivery.mode === "structured" ? readStructured(body) : [readBinary(headers, rawHeaders, body)];
  if (events.length > maxEvents) {
    throw new Refusal(413, `${events.length} events are more than ${maxEvents}`);
  }
  if (events.some(isMalformed)) logMalformed(events, delivery);
  return events;
}

export function isMalformed(event: Received): event is InvalidEnvelopeError {
  return event instanceof InvalidEnvelopeError;
}

function logMalformed(events: readonly Received[], { log }: Delivery): void {
  const malformed = events.flatMap((event, index) =>
    isMalformed(event) ? [{ index, problems: problemsOf(event) }] : [],
  );
  const line =
    malformed.length === 1
      ? malformed[0]
      : { malformed: malformed.length, events: malformed.slice(0, MAX_LISTED) };
  log.warn(line, "not a CloudEvent");
}
