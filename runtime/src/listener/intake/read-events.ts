import {
  asCloudEvent,
  isEventGridEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../../events/envelope/index.js";
import { isMalformed } from "../../handling/index.js";
import { MAX_LISTED } from "../../log.js";
import type { ListenerMetrics } from "../metrics.js";
import type { Delivery } from "./delivery.js";
import type { DeliverySchema } from "./request.js";
import { Refusal } from "./responses.js";

export interface ReadingOptions {
  readonly maxEvents: number;
  readonly schema: DeliverySchema;
  /** Whether an event with flaws counts as malformed. */
  readonly strict: boolean;
  readonly metrics: ListenerMetrics;
}

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and in another
 * which of them have flaws, and counts the latter.
 *
 * @throws InvalidBodyError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than `maxEvents`
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  { maxEvents, schema, strict, metrics }: ReadingOptions,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.exchange;
  if (delivery.mode !== "structured") {
    return logged([readBinary(headers, rawHeaders, body, { strict })], delivery, metrics);
  }
  const elements = parseStructured(body);
  // Before they are examined, because a body may have hundreds of thousands.
  if (elements.length > maxEvents) {
    throw new Refusal(413, `the delivery has ${elements.length} events, more than ${maxEvents}`);
  }
  const events = elements.map((element) => {
    const isMapped = schema === "eventgrid" && isEventGridEvent(element);
    return readEvent(isMapped ? asCloudEvent(element) : element, { strict });
  });
  return logged(events, delivery, metrics);
}

function logged(
  events: readonly Received[],
  { log }: Delivery,
  metrics: ListenerMetrics,
): readonly Received[] {
  if (!events.some(hasProblems)) return events;
  const malformed = listed(events, (event) => (isMalformed(event) ? event.problems : []));
  if (malformed.length > 0) {
    const lines = malformed.map(({ index, messages }) => ({ index, problems: messages }));
    log.warn(fieldsOf("malformed", lines), "not a CloudEvent");
  }
  const flawed = listed(events, (event) => (isMalformed(event) ? [] : event.flaws));
  if (flawed.length > 0) {
    metrics.flawedEvents(flawed.length);
    const lines = flawed.map(({ index, messages }) => ({ index, flaws: messages }));
    log.warn(fieldsOf("flawed", lines), "event does not conform to CloudEvents");
  }
  return events;
}

function hasProblems(event: Received): boolean {
  return isMalformed(event) || event.flaws.length > 0;
}

function listed(
  events: readonly Received[],
  select: (event: Received) => readonly string[],
): { readonly index: number; readonly messages: readonly string[] }[] {
  return events.flatMap((event, index) => {
    const messages = select(event);
    return messages.length === 0 ? [] : [{ index, messages: messages.slice(0, MAX_LISTED) }];
  });
}

/** For a single event the fields of the log line; for several, a list of the first ten. */
function fieldsOf(name: "malformed" | "flawed", lines: readonly object[]): object {
  const [only] = lines;
  if (only !== undefined && lines.length === 1) return only;
  return { [name]: lines.length, events: lines.slice(0, MAX_LISTED) };
}
