import type { IncomingHttpHeaders } from "node:http";
import { AZURE_LIMITS } from "../../binding/index.js";
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
import { Refusal } from "../responses.js";
import type { ContentMode, Delivery } from "./delivery.js";

const structured =
  /^application\/cloudevents(?:-batch)?\+json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;
const cloudEvents = /^application\/cloudevents\b/i;

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;

/** The schema in which Event Grid delivers. Its own schema is accepted in addition to CloudEvents. */
export type DeliverySchema = "cloudevents" | "eventgrid";

/** Reads the content mode from the headers. Compressed bodies are not supported. */
export function contentMode(
  headers: IncomingHttpHeaders,
  schema: DeliverySchema = "cloudevents",
): ContentMode | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return undefined;
  const type = headers["content-type"];
  // Exactly what Event Grid sends.
  if (type === "application/cloudevents+json; charset=utf-8") return "structured";
  if (type !== undefined && cloudEvents.test(type)) {
    return structured.test(type) ? "structured" : undefined;
  }
  if (headers["ce-specversion"] !== undefined) return "binary";
  return schema === "eventgrid" && type !== undefined && json.test(type) ? "structured" : undefined;
}

const MAX_EVENTS = AZURE_LIMITS.eventsPerBatch.max;

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
  schema: DeliverySchema,
  metrics: ListenerMetrics,
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
