import { types } from "node:util";
import { attributeProblems } from "../events/envelope-attributes.js";
import type { EncodedEvent } from "./encoded-event.js";
import { eventMembers, type Members, unreadableMembers } from "./event-members.js";
import type { EventToCreate } from "./event-to-create.js";
import { readJson } from "./read-json.js";

/** What the envelope of an event is made of, where the event does not say. */
export interface Envelope {
  readonly source: string | undefined;
  readonly newId: () => string;
  /** The present time as an RFC 3339 timestamp. */
  readonly timestamp: () => string;
  readonly maxEventBytes: number;
  /** The event types that may be published; any when absent. */
  readonly types?: ReadonlySet<string> | undefined;
}

/** The distributed tracing extension of CloudEvents. */
export interface TraceAttributes {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What is wrong, and where. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** An event that cannot be sent. */
export interface Malformed {
  /** The one that it has, or was given; empty where it has another thing in its place. */
  readonly id: string;
  /** Likewise. */
  readonly type: string;
  readonly problems: readonly Problem[];
}

/**
 * Writes an event as the JSON that is sent; later changes of the object change nothing.
 *
 * @returns the event, or everything that is wrong with it
 */
export function encodeEvent(
  event: EventToCreate,
  envelope: Envelope,
  trace?: TraceAttributes,
): EncodedEvent | Malformed {
  if (typeof event !== "object" || event === null) return malformed(NO_EVENT);
  const members = eventMembers(event);
  if (members === undefined) return malformed(unreadableMembers(event));
  if (Array.isArray(event)) return malformed(NO_EVENT);
  const attributes = attributesOf(members, envelope);
  if (trace !== undefined && attributes.traceparent === undefined) Object.assign(attributes, trace);
  const data = readData(members, envelope.maxEventBytes);
  const problems = attributeErrors(attributes, members, envelope);
  problems.push(...data.problems);
  const id = textOf(attributes.id);
  const type = textOf(attributes.type);
  if (problems.length > 0) return { id, type, problems };

  const json = stringified(Object.assign(attributes, data.attributes));
  if (json === undefined) {
    const message = "data is not the same whenever it is read";
    return { id, type, problems: [{ path: "data", message }] };
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > envelope.maxEventBytes) {
    const message = `the event is ${bytes} bytes on the wire, the topic takes ${envelope.maxEventBytes}: ${ELSEWHERE}`;
    return { id, type, problems: [{ path: "", message }] };
  }
  return { id, type, json, bytes };
}

const ELSEWHERE = "store what is large, and publish where it is";
const NO_EVENT: readonly Problem[] = [{ path: "", message: "an event is an object with a type" }];

function malformed(problems: readonly Problem[]): Malformed {
  return { id: "", type: "", problems };
}

/** Whether encoding went well. */
export function isEncoded(result: EncodedEvent | Malformed): result is EncodedEvent {
  return "json" in result;
}

/** The context attributes as they go out; those that are `undefined` or `null` are not set. */
function attributesOf(event: Members, envelope: Envelope): Record<string, unknown> {
  // A ready event goes out as it is, even if it lacks something.
  const attributes = event.specversion === undefined ? envelopeOf(event, envelope) : {};
  for (const name of Object.keys(event)) {
    const value = event[name];
    if (name === "data" || name === "__proto__" || value === undefined || value === null) continue;
    attributes[name] = name === "time" && types.isDate(value) ? writtenDate(value) : value;
  }
  return attributes;
}

function envelopeOf(event: Members, { source, newId, timestamp }: Envelope) {
  const attributes: Record<string, unknown> = { specversion: "1.0", id: event.id ?? newId() };
  if (source !== undefined) attributes.source = source;
  attributes.time = event.time ?? timestamp();
  if ("data" in event) attributes.datacontenttype = mediaTypeOf(event.data);
  return attributes;
}

function mediaTypeOf(data: unknown): string {
  return types.isUint8Array(data) ? "application/octet-stream" : "application/json";
}

function writtenDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? "an invalid Date" : date.toISOString();
}

function attributeErrors(
  attributes: Record<string, unknown>,
  event: Members,
  envelope: Envelope,
): Problem[] {
  const problems = (attributeProblems(attributes) ?? []).map((message) => ({
    path: message.match(/^(?:extension )?(\w+)/)?.[1] ?? "",
    message:
      message === "source is missing"
        ? "source is missing: give the event one, or createPublisher's option, or name the binding"
        : message,
  }));
  if (Object.hasOwn(event, "__proto__")) {
    problems.push({ path: "__proto__", message: '"__proto__" is no attribute name' });
  }
  if ("data_base64" in attributes) {
    const message = "data_base64 is written by the publisher: give the bytes as data, a Uint8Array";
    problems.push({ path: "data_base64", message });
  }
  if (typeof event.type === "string" && envelope.types?.has(event.type) === false) {
    const message = `type is ${JSON.stringify(event.type)}, which the publisher's catalogue of events does not have`;
    problems.push({ path: "type", message });
  }
  return problems;
}

/** The members that `data` becomes on the wire, unless there are problems. */
function readData(
  event: Members,
  maxBytes: number,
): { attributes: Members; problems: readonly Problem[] } {
  if (!("data" in event)) return { attributes: {}, problems: [] };
  const { data } = event;
  if (types.isUint8Array(data)) {
    const { buffer, byteOffset, byteLength } = data;
    // More of it than fits into a string cannot even be written to be measured.
    const encodedLength = Math.ceil(byteLength / 3) * 4;
    if (encodedLength > maxBytes) {
      const message = `data is ${encodedLength} bytes as base64, the topic takes ${maxBytes} for an event: ${ELSEWHERE}`;
      return { attributes: {}, problems: [{ path: "data", message }] };
    }
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return { attributes: { data_base64: bytes.toString("base64") }, problems: [] };
  }
  const { value, problems } = readJson(data);
  return {
    attributes: { data: value },
    problems: problems.map(({ path, why }) => ({ path, message: `${path} ${why}` })),
  };
}

/** What is plain at a glance may still have getters, which can throw the second time. */
function stringified(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
