import type { CloudEvent } from "./cloud-event.js";
import { attributeProblems } from "./envelope-attributes.js";
import { jsonProblem, parseJson } from "./envelope-json.js";
import { InvalidEnvelopeError } from "./envelope-problems.js";
import { isJsonObject } from "./json-object.js";

/** An event, or why what was received is none. */
export type Received = CloudEvent | InvalidEnvelopeError;

/**
 * Reads a request body of structured content mode: one event as an object, or several as an array.
 *
 * Which of the two the media type announces is not asked: Event Grid's use of them is not settled.
 * An event that is malformed does not hide the others of its batch.
 *
 * @throws InvalidEnvelopeError when the body as a whole cannot be read
 */
export function readStructured(body: Buffer): readonly Received[] {
  const content = parseJson(body);
  return Array.isArray(content) ? content.map(readParsed) : [readParsed(content)];
}

function readParsed(candidate: unknown): Received {
  const problem = jsonProblem(candidate);
  return problem === undefined ? readEvent(candidate) : new InvalidEnvelopeError([problem]);
}

/** Makes an event of attributes and data, or says why it is none. */
export function readEvent(candidate: unknown): Received {
  if (!isJsonObject(candidate)) return new InvalidEnvelopeError(["an event is a JSON object"]);
  const problems = attributeProblems(candidate) ?? [];
  const encoded = candidate.data_base64 ?? undefined;
  if (encoded !== undefined) {
    if (candidate.data !== undefined) problems.push("data and data_base64 exclude each other");
    if (!isBase64(encoded)) problems.push("data_base64 is not base64");
  }
  if (problems.length > 0) return new InvalidEnvelopeError(problems);
  const event = isAsSent(candidate) ? candidate : settled(candidate, encoded);
  return isCloudEvent(event) ? event : new InvalidEnvelopeError(["specversion is missing"]);
}

/** Tells the compiler what the check of the attributes has found. */
function isCloudEvent(event: Record<string, unknown>): event is CloudEvent {
  return event.specversion === "1.0";
}

/** Whether the event looks to its handler as it does on the wire. */
function isAsSent(event: Record<string, unknown>): boolean {
  for (const name in event) if (differs(name, event[name])) return false;
  return true;
}

function differs(name: string, value: unknown): boolean {
  return name === "data_base64" || (value === null && name !== "data");
}

/** Leaves out attributes sent as `null`, and turns `data_base64` into bytes. */
function settled(event: Record<string, unknown>, encoded: unknown): Record<string, unknown> {
  const plain = Object.fromEntries(
    Object.entries(event).filter(([name, value]) => !differs(name, value)),
  );
  if (typeof encoded === "string") plain.data = Uint8Array.from(Buffer.from(encoded, "base64"));
  return plain;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function isBase64(value: unknown): value is string {
  return typeof value === "string" && base64.test(value);
}
