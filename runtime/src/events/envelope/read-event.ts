import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { CloudEventGridError } from "../../errors.js";
import { isObject } from "../../validation/index.js";
import type { CloudEvent } from "../catalogue.js";
import { attributeProblems } from "./attributes.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** An event that a handler can receive. */
export interface ReceivedEvent {
  readonly event: CloudEvent;
  /** Deviations from CloudEvents that do not prevent the event from being handled. */
  readonly flaws: readonly string[];
  /** Whether a number of the JSON is beyond the integers that JavaScript tells apart. */
  readonly hasLargeNumber: boolean;
}

/** An element of a request that no handler can receive. */
export class MalformedEvent {
  /** @param problems the reasons, one sentence each; the payload is never quoted */
  constructor(readonly problems: readonly string[]) {}
}

/** An element of a request. */
export type Received = ReceivedEvent | MalformedEvent;

/**
 * Parses a request body of structured content mode: one event as an object, or several as an array.
 * The elements are not examined yet, see {@link readEvent}.
 *
 * The media type does not matter, because Event Grid does not use it consistently.
 *
 * @throws {InvalidBodyError} when the body is not JSON
 */
export function parseStructured(body: Buffer): readonly unknown[] {
  const content = parseJson(body);
  return Array.isArray(content) ? content : [content];
}

/**
 * Reads one event of parsed JSON, which becomes part of the result and may be modified.
 *
 * Event Grid drops an event that a webhook answers with 400, so an event is malformed only if no
 * handler can receive it: it is not an object, nested too deeply, without `id`, `source` or `type`,
 * or of another `specversion`. Every other deviation is a flaw: the event is passed on unchanged,
 * except for keys that would alter prototypes.
 */
export function readEvent(candidate: unknown): Received {
  if (!isObject(candidate)) return new MalformedEvent(["an event must be a JSON object"]);
  // Listing the members of a large object, and looking each up, is most of the cost: both once.
  let names = Object.keys(candidate);
  let values = names.map((name) => candidate[name]);
  const findings: Findings = { removed: [], hasLargeNumber: false };
  const { removed } = findings;
  if (!names.every((name, at) => clean(candidate, name, values[at], 1, findings))) {
    return new MalformedEvent([`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`]);
  }
  if (removed.length > 0) {
    names = Object.keys(candidate);
    values = names.map((name) => candidate[name]);
  }
  const problems = attributeProblems(candidate, names, values);
  const asSent: JsonObject | undefined = hasWireForm(names, values) ? candidate : undefined;
  const { hasLargeNumber } = findings;
  if (asSent !== undefined && problems === undefined && removed.length === 0) {
    return { event: asSent as CloudEvent, flaws: NO_FLAWS, hasLargeNumber };
  }

  const flaws = removed.map((key) => `the key "${key}" was removed`);
  if (problems !== undefined) flaws.push(...problems.map(({ message }) => message));
  if (problems?.some(({ isEssential }) => isEssential)) return new MalformedEvent(flaws);

  const event = asSent ?? withoutWireForm(candidate, names, flaws);
  return { event: event as CloudEvent, flaws, hasLargeNumber };
}

const NO_FLAWS: readonly string[] = [];

/** Reports whether handlers can receive the event exactly as it was sent. */
function hasWireForm(names: readonly string[], values: readonly unknown[]): boolean {
  if (names.includes("data_base64")) return false;
  const at = values.indexOf(null);
  return at === -1 || (names[at] === "data" && values.indexOf(null, at + 1) === -1);
}

/** Leaves out attributes that are `null`, and replaces `data_base64` by its bytes in `data`. */
function withoutWireForm(event: JsonObject, names: readonly string[], flaws: string[]): JsonObject {
  const plain: Record<string, unknown> = {};
  for (const name of names) {
    if (event[name] !== null || name === "data") plain[name] = event[name];
  }
  const encoded = plain.data_base64;
  if (encoded === undefined) return plain;
  if (plain.data !== undefined) {
    flaws.push("data and data_base64 exclude each other: data_base64 was ignored");
  } else if (typeof encoded !== "string" || !anyBase64.test(encoded)) {
    flaws.push("data_base64 is not base64: it was not decoded");
    return plain;
  } else {
    if (!canonicalBase64.test(encoded)) flaws.push("data_base64 is not padded standard base64");
    plain.data = Uint8Array.from(Buffer.from(encoded, "base64"));
  }
  const { data_base64: _, ...decoded } = plain;
  return decoded;
}

const canonicalBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** With either alphabet, with or without padding. A single character left over encodes nothing. */
const anyBase64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}={0,2})?$/;

/** Reports whether an element of a delivery has Event Grid's own schema instead of that of CloudEvents. */
export function isEventGridEvent(element: unknown): element is JsonObject {
  return isObject(element) && element.specversion === undefined && element.eventType !== undefined;
}

/**
 * Turns an event of Event Grid's own schema into the CloudEvent that Event Grid delivers for it to a
 * subscription with the CloudEvents schema. `metadataVersion` has no counterpart.
 *
 * @see https://learn.microsoft.com/azure/event-grid/cloud-event-schema
 */
export function asCloudEvent(event: JsonObject): Record<string, unknown> {
  const { id, topic, subject, eventType, eventTime, dataVersion } = event;
  return {
    specversion: "1.0",
    id,
    source: topic,
    type: eventType,
    subject,
    time: eventTime,
    ...(isSet(dataVersion) && { dataschema: `#${dataVersion}` }),
    ...("data" in event && { data: event.data }),
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/**
 * Reads a request of binary content mode.
 *
 * The body is JSON, text or bytes, depending on `Content-Type`. Without that, it is JSON if it can be
 * parsed, and otherwise bytes (RFC 9110, 8.3). Without a body the event has no data.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function readBinary(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  body: Buffer,
): Received {
  const contentType = headers["content-type"];
  const { attributes, flaws } = headerAttributes(rawHeaders);
  if (contentType !== undefined) attributes.datacontenttype = contentType;
  try {
    if (body.length > 0) attributes.data = dataOf(contentType, body, flaws);
  } catch (error) {
    if (error instanceof InvalidBodyError) return new MalformedEvent([...flaws, error.message]);
    throw error;
  }
  const received = readEvent(attributes);
  if (flaws.length === 0) return received;
  if (received instanceof MalformedEvent) {
    return new MalformedEvent([...flaws, ...received.problems]);
  }
  return { ...received, flaws: [...flaws, ...received.flaws] };
}

function headerAttributes(rawHeaders: readonly string[]) {
  const attributes: Record<string, unknown> = {};
  const flaws: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = String(rawHeaders[at]).toLowerCase();
    if (!header.startsWith("ce-")) continue;
    const name = header.slice(3);
    const value = String(rawHeaders[at + 1]);
    if (DATA_HEADERS.has(name)) {
      flaws.push(`the header ${header} is not an attribute in binary content mode and was ignored`);
    } else if (Object.hasOwn(attributes, name)) {
      flaws.push(`the header ${header} occurs more than once: only the first was used`);
    } else {
      const text = decoded(value);
      if (text === undefined) flaws.push(`the header ${header} is not percent-encoded UTF-8`);
      Object.defineProperty(attributes, name, { value: text ?? value, ...PLAIN });
    }
  }
  return { attributes, flaws };
}

const DATA_HEADERS: ReadonlySet<string> = new Set(["data", "data_base64", "datacontenttype"]);
/** An ordinary property, also for a name such as `__proto__`. */
const PLAIN = { enumerable: true, writable: true, configurable: true };

const unprintable = /[^\x20-\x7e]/;

/** The value of a header, without its quotes and percent-decoded once. */
function decoded(value: string): string | undefined {
  if (unprintable.test(value)) return undefined;
  const unquoted =
    value.length > 1 && value.startsWith('"') && value.endsWith('"')
      ? value.slice(1, -1).replace(/\\(.)/g, "$1")
      : value;
  try {
    return decodeURIComponent(unquoted);
  } catch {
    return undefined;
  }
}

const JSON_TYPE = /^[^;]*[/+]json[ \t]*(?:;|$)/i;
const otherCharset = /;[ \t]*charset="?(?!utf-?8\b|us-ascii\b)/i;

function dataOf(contentType: string | undefined, body: Buffer, flaws: string[]): unknown {
  if (contentType === undefined) return jsonOrBytes(body);
  if (JSON_TYPE.test(contentType)) return parseJson(body);
  if (!contentType.toLowerCase().startsWith("text/") || otherCharset.test(contentType))
    return Uint8Array.from(body);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    flaws.push("the body is not UTF-8 and was not decoded");
    return Uint8Array.from(body);
  }
}

function jsonOrBytes(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return Uint8Array.from(body);
  }
}

/** The deepest nesting of JSON that is accepted; code that walks it recursively must survive it. */
export const MAX_JSON_DEPTH = 1_000;

/** Thrown for a body that contains no event at all, so that sending it again would not help. */
export class InvalidBodyError extends CloudEventGridError {
  readonly code = "ERR_INVALID_CLOUDEVENT";
}

/**
 * Ignores a byte order mark, as RFC 8259, 8.1 allows: it is no reason to lose an event.
 *
 * @throws {InvalidBodyError} when the bytes are not JSON in UTF-8
 */
function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new InvalidBodyError("the body is not UTF-8");
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    // The parser's own message quotes the payload.
    throw new InvalidBodyError("the body is not JSON");
  }
}

type MutableObject = Record<string, unknown>;
type JsonNode = unknown[] | MutableObject;

/** The problems and flaws of parsed JSON. */
interface Findings {
  /** The name of each key that was removed, once. */
  readonly removed: string[];
  hasLargeNumber: boolean;
}

/**
 * Removes keys of parsed JSON that would alter the prototype of an object into which they are copied:
 * `__proto__`, and `prototype` below `constructor`. Looks for large numbers on the way, which costs far
 * less than looking for their digits in the text.
 *
 * @param node an object
 * @param item the value of its member `key`, which the caller looks up: in a loop that costs less
 * @returns whether the nesting is at most {@link MAX_JSON_DEPTH}; deeper levels are not examined
 */
function clean(
  node: MutableObject,
  key: string,
  item: unknown,
  depth: number,
  findings: Findings,
): boolean {
  if (key === "__proto__") {
    remove(node, key, key, findings);
    return true;
  }
  if (!isNode(item)) {
    if (typeof item === "number" && isLarge(item)) findings.hasLargeNumber = true;
    return true;
  }
  if (key === "constructor" && "prototype" in item) {
    remove(item, "prototype", "constructor.prototype", findings);
  }
  return cleanMembers(item, depth + 1, findings);
}

function cleanMembers(node: JsonNode, depth: number, findings: Findings): boolean {
  if (depth > MAX_JSON_DEPTH) return false;
  if (Array.isArray(node)) {
    // By index, because an iterator would cost more than the rest of this function.
    for (let index = 0; index < node.length; index += 1) {
      const item = node[index];
      if (isNode(item)) {
        if (!cleanMembers(item, depth + 1, findings)) return false;
      } else if (typeof item === "number" && isLarge(item)) findings.hasLargeNumber = true;
    }
    return true;
  }
  for (const key in node) if (!clean(node, key, node[key], depth, findings)) return false;
  return true;
}

/** `JSON.parse` reads 2^53 + 1 as 2^53, and digits without end as `Infinity`. */
function isLarge(value: number): boolean {
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
}

function remove(node: object, key: string, name: string, findings: Findings): void {
  // `context.json` still has what is removed, and a large number in it.
  const below: Findings = { removed: [], hasLargeNumber: false };
  cleanMembers([Reflect.get(node, key)], 0, below);
  findings.hasLargeNumber ||= below.hasLargeNumber;
  Reflect.deleteProperty(node, key);
  if (!findings.removed.includes(name)) findings.removed.push(name);
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === "object" && value !== null;
}
