import { isObject } from "../../base/index.js";
import type { AcceptedEvent, CloudEvent } from "../events/index.js";
import { elementsOf } from "./json-elements.js";
import { PublishError } from "./publish-error.js";

/** Measured on the real service, slightly above the documented megabyte. */
const MAX_EVENT_BYTES = 1_049_600;
export const MAX_REQUEST_BYTES = 1_536_000;

export interface PublishedEvent {
  readonly event: AcceptedEvent;
  readonly content: CloudEvent;
}

/**
 * Reads and checks the events of a publish request.
 *
 * @param batched whether the content type says that the body is an array
 * @throws PublishError if one of them is invalid; then none is accepted
 */
export function readPublishedEvents(body: Buffer, batched: boolean, now: number): PublishedEvent[] {
  const text = utf8Of(body);
  const parsed = parse(text);
  if (Array.isArray(parsed) !== batched) {
    throw schemaError(
      `Token Expected: ${batched ? "StartArray" : "StartObject"}, Actual Token Received: ${tokenOf(parsed)}.`,
    );
  }
  if (!Array.isArray(parsed)) return [publishedEvent(text.trim(), parsed, 0, now)];
  const texts = elementsOf(text);
  return parsed.map((content, index) => publishedEvent(texts[index] ?? "", content, index, now));
}

function publishedEvent(
  json: string,
  content: unknown,
  index: number,
  now: number,
): PublishedEvent {
  if (!isObject(content)) {
    throw schemaError(`Token Expected: StartObject, Actual Token Received: ${tokenOf(content)}.`);
  }
  const sizeInBytes = Buffer.byteLength(json);
  if (sizeInBytes > MAX_EVENT_BYTES) {
    throw new PublishError(
      413,
      "PayloadTooLarge",
      `The maximum size (${MAX_EVENT_BYTES}) has been exceeded for the event at index ${index}.`,
    );
  }
  const problem = problemOf(content);
  if (problem) throw schemaError(`The event at index ${index} is invalid: ${problem}.`);
  const { id, type, source, subject } = content;
  return {
    content,
    event: {
      id: String(id),
      type: String(type),
      source: String(source),
      subject: typeof subject === "string" ? subject : undefined,
      json,
      sizeInBytes,
      publishedAt: now,
    },
  };
}

const REQUIRED = ["id", "source", "type", "specversion"];
const TEXTS = [...REQUIRED, "subject", "time", "datacontenttype", "dataschema", "data_base64"];
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function problemOf(event: CloudEvent): string | undefined {
  const missing = REQUIRED.find((name) => event[name] == null || event[name] === "");
  if (missing) return `the required attribute '${missing}' is missing or empty`;
  const notText = TEXTS.find((name) => event[name] != null && typeof event[name] !== "string");
  if (notText) return `the attribute '${notText}' must be a string`;
  if (event.specversion !== "1.0") return `specversion must be '1.0', not '${event.specversion}'`;
  if (typeof event.time === "string" && !isTime(event.time)) {
    return `time must be an RFC 3339 timestamp, not '${event.time}'`;
  }
  const invalidName = Object.keys(event).find(
    (name) => !/^[a-z0-9]+$/.test(name) && name !== "data_base64",
  );
  if (invalidName !== undefined) {
    return `the attribute name '${invalidName}' must consist of lower-case letters and digits`;
  }
  return event.data !== undefined && event.data_base64 !== undefined
    ? "it has both data and data_base64"
    : undefined;
}

function isTime(text: string): boolean {
  return RFC_3339.test(text) && !Number.isNaN(Date.parse(text));
}

function utf8Of(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw schemaError("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw schemaError("The body is not valid JSON.");
  }
}

function tokenOf(value: unknown): string {
  if (value === null) return "Null";
  if (Array.isArray(value)) return "StartArray";
  const names = { object: "StartObject", string: "String", number: "Number", boolean: "Boolean" };
  return Object.entries(names).find(([type]) => type === typeof value)?.[1] ?? "None";
}

function schemaError(detail: string): PublishError {
  return new PublishError(
    400,
    "BadRequest",
    `This resource is configured to receive event in 'CloudEventV10' schema. The JSON received does not conform to the expected schema. ${detail}`,
    [{ code: "InputJsonInvalid", message: detail }],
  );
}
