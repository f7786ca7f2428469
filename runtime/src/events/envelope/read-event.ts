import { isObject } from "../../validation/index.js";
import type { CloudEvent } from "../cloud-event.js";
import { attributeProblems } from "./attributes.js";
import { MAX_JSON_DEPTH, parseJson, removeUnsafeKeys } from "./json.js";

type JsonObject = Readonly<Record<string, unknown>>;

/** An event that a handler can receive. */
export interface ReceivedEvent {
  readonly event: CloudEvent;
  /** Deviations from CloudEvents that do not prevent the event from being handled. */
  readonly flaws: readonly string[];
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
  let names = Object.keys(candidate);
  const removed: string[] = [];
  if (!removeUnsafeKeys(candidate, names, removed)) {
    return new MalformedEvent([`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`]);
  }
  if (removed.length > 0) names = Object.keys(candidate);
  const problems = attributeProblems(candidate, names);
  const flaws = removed.map((key) => `the key "${key}" was removed`);
  if (problems !== undefined) flaws.push(...problems.map(({ message }) => message));
  if (problems?.some(({ isEssential }) => isEssential)) return new MalformedEvent(flaws);

  const event = hasWireForm(candidate, names)
    ? candidate
    : withoutWireForm(candidate, names, flaws);
  return { event: event as CloudEvent, flaws };
}

/** Whether handlers can receive the event exactly as it was sent. */
function hasWireForm(event: JsonObject, names: readonly string[]): boolean {
  for (const name of names) {
    if (name === "data_base64" || (event[name] === null && name !== "data")) return false;
  }
  return true;
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

/** Whether an element of a delivery has Event Grid's own schema instead of that of CloudEvents. */
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
    ...(dataVersion !== undefined && dataVersion !== "" && { dataschema: `#${dataVersion}` }),
    ...("data" in event && { data: event.data }),
  };
}
