import { AZURE_LIMITS } from "../../binding/rules/index.js";
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

const MAX_EVENTS = AZURE_LIMITS.eventsPerBatch.max;

export interface ReadingOptions {
  readonly schema: DeliverySchema;
  readonly metrics: ListenerMetrics;
}

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and in another
 * which of them have flaws, and counts the latter.
 *
 * @throws InvalidBodyError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than Event Grid sends
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  { schema, metrics }: ReadingOptions,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.exchange;
  if (delivery.mode !== "structured") {
    return logProblems([readBinary(headers, rawHeaders, body)], delivery.log, metrics);
  }
  const elements = parseStructured(body);
  // Before they are examined, because a body may have hundreds of thousands.
  if (elements.length > MAX_EVENTS) {
    throw new Refusal(413, `the delivery has ${elements.length} events, more than ${MAX_EVENTS}`);
  }
  const events = elements.map((element) => {
    const isMapped = schema === "eventgrid" && isEventGridEvent(element);
    return readEvent(isMapped ? asCloudEvent(element) : element);
  });
  return logProblems(events, delivery.log, metrics);
}
