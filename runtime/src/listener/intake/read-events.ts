import {
  asCloudEvent,
  isEventGridEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../../events/envelope/index.js";
import { logProblems } from "../../handling/index.js";
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
    return logProblems([readBinary(headers, rawHeaders, body, { strict })], delivery.log, metrics);
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
  return logProblems(events, delivery.log, metrics);
}
