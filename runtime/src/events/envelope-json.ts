import { isUtf8 } from "node:buffer";
import { InvalidEnvelopeError } from "./envelope-problems.js";

/** Deepest nesting of JSON that is handed on: code that walks it recursively must survive. */
export const MAX_JSON_DEPTH = 100;

/**
 * Reads JSON from bytes that came over the wire. What it holds is not looked at: see
 * {@link jsonProblem}.
 *
 * @throws InvalidEnvelopeError for bytes that are no UTF-8 or no JSON
 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new InvalidEnvelopeError(["the body is not UTF-8"]);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // The parser's own message quotes the payload.
    throw new InvalidEnvelopeError(["the body is not JSON"]);
  }
}

/**
 * Why parsed JSON cannot be handed on: it nests deeper than {@link MAX_JSON_DEPTH}, or has keys that
 * would poison an object it is copied into.
 */
export function jsonProblem(value: unknown): string | undefined {
  return isNode(value) ? problemIn(value, 1) : undefined;
}

type JsonNode = unknown[] | { [key: string]: unknown };

function problemIn(value: JsonNode, depth: number): string | undefined {
  if (depth > MAX_JSON_DEPTH) return `the JSON nests deeper than ${MAX_JSON_DEPTH} levels`;
  if (Array.isArray(value)) {
    // By index: for large payloads this loop is most of what is ours, and an iterator costs more.
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index];
      const problem = isNode(item) ? problemIn(item, depth + 1) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  for (const key in value) {
    const item = value[key];
    if (key === "__proto__") return forbidden(key);
    if (!isNode(item)) continue;
    if (key === "constructor" && "prototype" in item) return forbidden(key);
    const problem = problemIn(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === "object" && value !== null;
}

function forbidden(key: string): string {
  return `the JSON has the forbidden key "${key}"`;
}
