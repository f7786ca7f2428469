import type { IncomingHttpHeaders } from "node:http";

/** The value of a header that may come once; `undefined` when it is missing or repeated. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** CloudEvents content mode of a request; `undefined` for an unsupported media type or encoding. */
export type ContentMode = "structured" | "binary";

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
