import { isUtf8 } from "node:buffer";
import { CloudEventGridError } from "../../errors.js";

/** The deepest nesting of JSON that is accepted; code that walks it recursively must survive it. */
export const MAX_JSON_DEPTH = 1_000;

/** Thrown for a body that contains no event at all, so that sending it again would not help. */
export class InvalidBodyError extends CloudEventGridError {
  readonly code = "ERR_INVALID_CLOUDEVENT";
}

/** @throws {InvalidBodyError} when the bytes are not JSON in UTF-8 */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new InvalidBodyError("the body is not UTF-8");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // The parser's own message quotes the payload.
    throw new InvalidBodyError("the body is not JSON");
  }
}

/**
 * Removes keys from a parsed JSON object that would alter the prototype of an object into which they are
 * copied: `__proto__`, and `prototype` below `constructor`.
 *
 * @param names of its members: listing those of a large object is most of the cost
 * @param removed gets the name of each key that was removed, once
 * @returns whether the nesting is at most {@link MAX_JSON_DEPTH}; deeper levels are not examined
 */
export function removeUnsafeKeys(
  value: JsonObject,
  names: readonly string[],
  removed: string[],
): boolean {
  for (const name of names) if (!cleanMember(value, name, 1, removed)) return false;
  return true;
}

interface JsonObject {
  [key: string]: unknown;
}
type JsonNode = unknown[] | JsonObject;

function clean(node: JsonNode, depth: number, removed: string[]): boolean {
  if (depth > MAX_JSON_DEPTH) return false;
  if (Array.isArray(node)) {
    // By index, because an iterator would cost more than the rest of this function.
    for (let index = 0; index < node.length; index += 1) {
      const item = node[index];
      if (isNode(item) && !clean(item, depth + 1, removed)) return false;
    }
    return true;
  }
  for (const key in node) if (!cleanMember(node, key, depth, removed)) return false;
  return true;
}

function cleanMember(node: JsonObject, key: string, depth: number, removed: string[]): boolean {
  if (key === "__proto__") {
    remove(node, key, key, removed);
    return true;
  }
  const item = node[key];
  if (!isNode(item)) return true;
  if (key === "constructor" && "prototype" in item) {
    remove(item, "prototype", "constructor.prototype", removed);
  }
  return clean(item, depth + 1, removed);
}

function remove(node: object, key: string, name: string, removed: string[]): void {
  Reflect.deleteProperty(node, key);
  if (!removed.includes(name)) removed.push(name);
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === "object" && value !== null;
}
