import {
  MalformedEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../../events/envelope/index.js";
import { type Delivery, Refusal } from "../intake/index.js";
import { MAX_LISTED } from "../telemetry/index.js";

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and in another
 * which of them have flaws.
 *
 * @throws InvalidBodyError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than `maxEvents`
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  maxEvents: number,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.request.raw;
  if (delivery.mode !== "structured") {
    return logged([readBinary(headers, rawHeaders, body)], delivery);
  }
  const elements = parseStructured(body);
  // Before they are examined, because a body may have hundreds of thousands.
  if (elements.length > maxEvents) {
    throw new Refusal(413, `${elements.length} events are more than ${maxEvents}`);
  }
  return logged(
    elements.map((element) => readEvent(element)),
    delivery,
  );
}

export function isMalformed(event: Received): event is MalformedEvent {
  return event instanceof MalformedEvent;
}

function logged(events: readonly Received[], { log }: Delivery): readonly Received[] {
  const malformed = listed(
    events,
    (event) => (isMalformed(event) ? event.problems : []),
    "problems",
  );
  if (malformed !== undefined) log.warn(malformed, "not a CloudEvent");
  const flawed = listed(events, (event) => (isMalformed(event) ? [] : event.flaws), "flaws");
  if (flawed !== undefined) log.warn(flawed, "event does not conform to CloudEvents");
  return events;
}

/** The fields of a log line about some events of a delivery; undefined if there are none. */
function listed(
  events: readonly Received[],
  select: (event: Received) => readonly string[],
  name: "problems" | "flaws",
): object | undefined {
  let count = 0;
  const lines: object[] = [];
  for (const [index, event] of events.entries()) {
    const selected = select(event);
    if (selected.length === 0) continue;
    count += 1;
    if (lines.length < MAX_LISTED) lines.push({ index, [name]: selected.slice(0, MAX_LISTED) });
  }
  if (count < 2) return lines[0];
  return { [name === "problems" ? "malformed" : "flawed"]: count, events: lines };
}
