import { types } from "node:util";
import { attributeProblems, MAX_JSON_DEPTH } from "../../events/envelope/index.js";
import type { PathProblem } from "../../payload-problems.js";
import { nearName, showValue } from "../../validation/index.js";
import type { PublisherSettings } from "../settings.js";
import type { TraceAttributes } from "../telemetry.js";
import type { EncodedEvent } from "./encoded-events.js";
import type { EventToCreate } from "./event-to-create.js";

type Envelope = PublisherSettings["envelope"];

/** An event that cannot be sent. Its id and type are empty when they are not strings. */
export interface UnsendableEvent {
  readonly id: string;
  readonly type: string;
  readonly problems: readonly PathProblem[];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Encodes an event as JSON; later changes of the object have no effect.
 *
 * @returns the encoded event, or all of its problems
 */
export function encodeEvent(
  event: EventToCreate,
  defaults: Envelope,
  trace?: TraceAttributes,
): EncodedEvent | UnsendableEvent {
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    const message = "an event must be an object with a type";
    return { id: "", type: "", problems: [{ path: "", message }] };
  }
  const members = membersOf(event);
  const attributes = contextAttributes(members, defaults);
  if (trace !== undefined && attributes.traceparent === undefined) Object.assign(attributes, trace);
  const id = typeof attributes.id === "string" ? attributes.id : "";
  const type = typeof attributes.type === "string" ? attributes.type : "";
  const { data } = members;
  const problems = [
    ...envelopeProblems(attributes, Object.keys(members), defaults),
    ...sizeProblems(data, defaults),
  ];
  if (problems.length > 0) return { id, type, problems: [...problems, ...jsonProblems(data)] };

  if (types.isUint8Array(data)) attributes.data_base64 = base64(data);
  else if (data !== undefined) attributes.data = data;
  const json = toJson(attributes);
  if (json === undefined || (attributes.data !== undefined && mayBeRefused(data))) {
    const found = jsonProblems(data);
    if (found.length > 0) return { id, type, problems: found };
  }
  if (json === undefined) return { id, type, problems: NOT_JSON };
  if (isLeftOut(attributes.data)) return { id, type, problems: LEFT_OUT };
  const bytes = Buffer.byteLength(json);
  if (bytes <= defaults.maxEventBytes) return { id, type, json, bytes };
  const message = `the event is ${bytes} bytes on the wire, the limit is ${defaults.maxEventBytes}: ${LARGE_DATA}`;
  return { id, type, problems: [{ path: "", message }] };
}

export function isEncoded(result: EncodedEvent | UnsendableEvent): result is EncodedEvent {
  return "json" in result;
}

const LARGE_DATA = "store large data elsewhere, and publish its location";

/** Attributes that classes such as `CloudEvent` of the `cloudevents` package implement as getters. */
const ACCESSORS = ["specversion", "id", "type", "time", "data"] as const;

function membersOf(event: object): Members {
  const members: Record<string, unknown> = { ...event };
  for (const name of ACCESSORS) {
    if (!(name in members) && name in event) members[name] = Reflect.get(event, name);
  }
  // The SDK's binary events have the bytes twice.
  if (types.isUint8Array(members.data)) delete members.data_base64;
  return members;
}

/** The context attributes as they are sent; those that are `undefined` or `null` are not set. */
function contextAttributes(event: Members, defaults: Envelope): Record<string, unknown> {
  // An event with a specversion is complete: nothing is added to it.
  const attributes = event.specversion === undefined ? envelope(event, defaults) : {};
  for (const name in event) {
    const value = event[name];
    if (name === "data" || value === undefined || value === null) continue;
    attributes[name] = name === "time" && types.isDate(value) ? isoTime(value) : value;
  }
  return attributes;
}

function envelope(event: Members, { source, newId, timestamp }: Envelope) {
  const attributes: Record<string, unknown> = { specversion: "1.0", id: event.id ?? newId() };
  if (source !== undefined) attributes.source = source;
  attributes.time = event.time ?? timestamp();
  if (event.data !== undefined) {
    attributes.datacontenttype = types.isUint8Array(event.data)
      ? "application/octet-stream"
      : "application/json";
  }
  return attributes;
}

function isoTime(date: Date): string {
  return Number.isNaN(date.getTime()) ? "an invalid Date" : date.toISOString();
}

/** @param names of the attributes to check: those that the publisher adds are valid */
function envelopeProblems(
  attributes: Members,
  names: readonly string[],
  { types: known }: Envelope,
): PathProblem[] {
  const problems = (attributeProblems(attributes, names) ?? []).map(({ attribute, message }) => ({
    path: attribute,
    message: missingAttribute(attribute, attributes) ?? message,
  }));
  if (attributes.subject === "") {
    problems.push({ path: "subject", message: "subject is empty: leave it out" });
  }
  if ("data_base64" in attributes) {
    const message = "data_base64 is set by the publisher: pass the bytes as data, a Uint8Array";
    problems.push({ path: "data_base64", message });
  }
  const { type } = attributes;
  if (typeof type === "string" && known?.has(type) === false) {
    const meant = nearName(type, [...known]);
    const advice = meant === undefined ? "" : `: did you mean ${JSON.stringify(meant)}?`;
    const message = `type is ${showValue(type)}, which is not in the publisher's catalogue of events${advice}`;
    problems.push({ path: "type", message });
  }
  return problems;
}

/** Returns the advice for an attribute that is missing; undefined for others. */
function missingAttribute(name: string, attributes: Members): string | undefined {
  if (attributes[name] !== undefined) return undefined;
  if (name === "source") return NO_SOURCE;
  return name === "type" && "eventType" in attributes ? EVENT_GRID_SCHEMA : undefined;
}

const EVENT_GRID_SCHEMA =
  "type is missing, because the event has Event Grid's own schema: write type instead of eventType, time " +
  "instead of eventTime, and leave out dataVersion";
const NO_SOURCE =
  "source is missing: set it on the event, in createPublisher's options, or name the binding";

function sizeProblems(
  data: unknown,
  { maxEventBytes: maxBytes, needsData }: Envelope,
): readonly PathProblem[] {
  if (data === undefined || data === null) return needsData ? NO_DATA : NONE;
  if (!types.isUint8Array(data)) {
    return types.isAnyArrayBuffer(data) || ArrayBuffer.isView(data) ? OTHER_BYTES : NONE;
  }
  // Checked before encoding: base64 of very large data does not fit into a string.
  const encodedLength = Math.ceil(data.byteLength / 3) * 4;
  if (encodedLength <= maxBytes) return NONE;
  const message = `data is ${encodedLength} bytes as base64, the limit of an event is ${maxBytes}: ${LARGE_DATA}`;
  return [{ path: "data", message }];
}

const NONE: readonly PathProblem[] = [];
const dataProblem = (message: string): readonly PathProblem[] => [{ path: "data", message }];
const OTHER_BYTES = dataProblem(
  "data is bytes, but not a Uint8Array, so that JSON would lose them: convert it to one",
);
const NO_DATA = dataProblem("data is missing or null: topics of namespaces refuse such events");

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** The most problems of one payload that are reported; a list of thousands does not help. */
const MAX_PROBLEMS = 20;

/** Receivers refuse deeper JSON: the payload is inside an event, and the event inside an array. */
const MAX_DATA_DEPTH = MAX_JSON_DEPTH - 2;

/** Without the error's own message, which may contain the payload. */
const NOT_JSON = dataProblem("data cannot be encoded as JSON: a getter or a toJSON threw an error");

const LEFT_OUT = dataProblem(
  "data has no form in JSON: it is a function, a symbol, or its toJSON returns nothing",
);

/** Reports whether `JSON.stringify` would leave out a payload without a word. */
function isLeftOut(data: unknown): boolean {
  if (typeof data === "function" || typeof data === "symbol") return true;
  const isConverted = typeof data === "object" && data !== null && "toJSON" in data;
  return isConverted && JSON.stringify(data) === undefined;
}

/** Undefined if `JSON.stringify` fails, as it does for cycles and BigInts. */
function toJson(attributes: object): string | undefined {
  try {
    return JSON.stringify(attributes);
  } catch {
    return undefined;
  }
}

/**
 * Reports whether receivers may refuse this payload, so that it has to be examined. Looks at nothing but keys
 * and depth, because that takes less than a tenth of the time to encode an event.
 */
function mayBeRefused(value: unknown, levels: number = MAX_DATA_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (mayBeRefused(item, levels - 1)) return true;
    return false;
  }
  // Faster than Object.keys by a third.
  for (const key in value) {
    if (key === "__proto__" || key === "constructor") return true;
    const member: unknown = value[key as keyof typeof value];
    if (typeof member === "object" && mayBeRefused(member, levels - 1)) return true;
  }
  return false;
}

/** Finds the values on which `JSON.stringify` fails, or which receivers refuse, with their paths. */
function jsonProblems(data: unknown): PathProblem[] {
  const problems: PathProblem[] = [];
  try {
    if (!types.isUint8Array(data)) examine(data, [], [], problems);
  } catch {
    // A getter threw, as it did in JSON.stringify.
  }
  return problems;
}

type Path = readonly string[];

function examine(
  original: unknown,
  path: Path,
  ancestors: readonly unknown[],
  problems: PathProblem[],
): void {
  const value = converted(original, path);
  if (problems.length >= MAX_PROBLEMS) return;
  const report = (what: string) => {
    const at = pathText(path, ancestors);
    problems.push({ path: at, message: `${at} ${what}` });
  };
  if (typeof value === "bigint") report("is a BigInt, which JSON cannot represent: use a string");
  if (typeof value !== "object" || value === null) return;
  if (ancestors.includes(value)) {
    report("refers back to an object that contains it");
    return;
  }
  if (ancestors.length >= MAX_DATA_DEPTH) {
    report(`is nested deeper than ${MAX_DATA_DEPTH} levels, which receivers refuse`);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (isForbidden(key, member)) report(`has the key "${key}", which receivers refuse`);
    else examine(member, [...path, key], [...ancestors, value], problems);
  }
}

/** The value that `JSON.stringify` would write: the result of `toJSON` where there is one. */
function converted(value: unknown, path: Path): unknown {
  // Programs give `toJSON` to the prototype of BigInt, too.
  if (value === null || (typeof value !== "object" && typeof value !== "bigint")) return value;
  try {
    const toJSON: unknown = Reflect.get(Object(value), "toJSON");
    return typeof toJSON === "function" ? toJSON.call(value, path.at(-1) ?? "data") : value;
  } catch {
    // JSON.stringify fails on it, too.
    return undefined;
  }
}

/** Keys that could pollute prototypes where a receiver copies the payload. */
function isForbidden(key: string, member: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof member === "object" && member !== null && "prototype" in member
  );
}

const NO_IDENTIFIER = /^(\d|$)|[^\w$]/;
const MAX_KEY_LENGTH = 80;

/** A path as code would write it: `data.lines[2].price`. */
function pathText(path: Path, ancestors: readonly unknown[]): string {
  let text = "data";
  for (const [i, step] of path.entries()) {
    if (Array.isArray(ancestors[i])) text += `[${step}]`;
    else if (!NO_IDENTIFIER.test(step) && step.length <= MAX_KEY_LENGTH) text += `.${step}`;
    else text += `[${JSON.stringify(step.slice(0, MAX_KEY_LENGTH))}]`;
  }
  return text;
}
