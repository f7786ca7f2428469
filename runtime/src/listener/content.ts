import type { IncomingMessage } from "node:http";
import { type Received, readStructured } from "../events/envelope.js";
import { isBinaryMode, readBinary } from "../events/envelope-headers.js";

/** CloudEvents content mode of a request; `undefined` when it is none that is understood. */
export type ContentMode = "structured" | "binary" | undefined;

const structured =
  /^application\/cloudevents(?:-batch)?\+json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;
const ofCloudEvents = /^application\/cloudevents\b/i;

/** Tells from the headers how the events are packed. Compressed bodies are not understood. */
export function contentMode({ headers }: IncomingMessage): ContentMode {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return undefined;
  const type = headers["content-type"];
  // What Event Grid sends, word for word.
  if (type === "application/cloudevents+json; charset=utf-8") return "structured";
  if (type !== undefined && ofCloudEvents.test(type)) {
    return structured.test(type) ? "structured" : undefined;
  }
  return isBinaryMode(headers) ? "binary" : undefined;
}

/**
 * Reads the events of a request.
 *
 * @throws InvalidEnvelopeError when there is none in it
 */
export function readEvents(
  mode: "structured" | "binary",
  request: IncomingMessage,
  body: Buffer,
): readonly Received[] {
  if (mode === "structured") return readStructured(body);
  return [readBinary(request.headers, request.rawHeaders, body)];
}
