import { isUtf8 } from "node:buffer";
import { InvalidEnvelopeError } from "./envelope-problems.js";

/** Deepest nesting of JSON that is handed on: code that walks it recursively must survive. */
export const MAX_JSON_DEPTH = 100;

/**
 * Reads JSON from bytes that came over the wire.
 *
 * @throws InvalidEnvelopeError for bytes that are no UTF-8 or no JSON, JSON that nests deeper than
 * {@link MAX_JSON_DEPTH}, and keys that would poison an object it is copied into
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new InvalidEnvelopeError(["the body is not UTF-8"]);
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    // The parser's own message quotes the payload.
    throw new InvalidEnvelopeError(["the body is not JSON"]);
  }
  if (isNode(value)) checkNesting(value, 1);
  return value;
}

type JsonNode = unknown[] | { [key: string]: unknown };

function checkNesting(value: JsonNode, depth: number): void {
  if (depth > MAX_JSON_DEPTH) {
    throw new InvalidEnvelopeError([`the body nests deeper than ${MAX_JSON_DEPTH} levels`]);
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isNode(item)) checkNesting(item, depth + 1);
    }
    return;
  }
  for (const key in value) {
    const item = value[key];
    if (!isNode(item)) {
      if (key === "__proto__") throw forbiddenKey(key);
      continue;
    }
    if (key === "__proto__" || (key === "constructor" && "prototype" in item)) {
      throw forbiddenKey(key);
    }
    checkNesting(item, depth + 1);
  }
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === "object" && value !== null;
}

function forbiddenKey(key: string): InvalidEnvelopeError {
  return new InvalidEnvelopeError([`the body has the forbidden key "${key}"`]);
}
