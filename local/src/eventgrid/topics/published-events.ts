import { isObject } from "../../base/index.js";
import { type AcceptedEvent, type EventContent, elementsOf } from "../events/index.js";
import { type EventReader, eventReader } from "./event-reader.js";
import { PublishError, tooLarge } from "./publish-error.js";
import type { Topic } from "./topic.js";

/** Measured on the real service, slightly above the documented megabyte. */
export const MAX_EVENT_BYTES = 1_049_600;
export const MAX_REQUEST_BYTES = 1_536_000;

export interface PublishedEvent {
  readonly event: AcceptedEvent;
  readonly content: EventContent;
  /** Resource ID of the topic that the event chose in a domain. */
  readonly domainTopicId: string | undefined;
}

/**
 * Reads and checks the events of a publish request.
 *
 * @param batched whether the body must be an array
 * @throws PublishError if an event is invalid; then none is accepted
 */
export function readPublishedEvents(
  body: Buffer,
  topic: Pick<Topic, "id" | "isDomain" | "inputSchema" | "inputSchemaMapping">,
  batched: boolean,
  now: number,
): PublishedEvent[] {
  const reader = eventReader(topic, now);
  const text = utf8Of(body, reader);
  const parsed = parse(text, reader);
  if (Array.isArray(parsed) !== batched) {
    throw schemaError(
      reader,
      `Token Expected: ${batched ? "StartArray" : "StartObject"}, Actual Token Received: ${tokenOf(parsed)}.`,
    );
  }
  if (!Array.isArray(parsed)) return [publishedEvent(text.trim(), parsed, 0, reader, now)];
  const texts = elementsOf(text);
  return parsed.map((content, index) =>
    publishedEvent(texts[index] ?? "", content, index, reader, now),
  );
}

function publishedEvent(
  json: string,
  content: unknown,
  index: number,
  reader: EventReader,
  now: number,
): PublishedEvent {
  if (!isObject(content)) {
    throw schemaError(
      reader,
      `Token Expected: StartObject, Actual Token Received: ${tokenOf(content)}.`,
    );
  }
  if (Buffer.byteLength(json) > MAX_EVENT_BYTES) {
    throw tooLarge(
      `The maximum size (${MAX_EVENT_BYTES}) has been exceeded for the event at index ${index}.`,
    );
  }
  const problem = reader.problemOf(content);
  if (problem) throw schemaError(reader, `The event at index ${index} is invalid: ${problem}.`);
  const domainTopicId = reader.domainTopicOf(content);
  const attributes = reader.attributesOf(content, json);
  const sizeInBytes = Buffer.byteLength(attributes.json);
  const event = { ...attributes, schema: reader.schema, sizeInBytes, publishedAt: now };
  return { event, content: reader.contentOf(content, attributes), domainTopicId };
}

function utf8Of(body: Buffer, reader: EventReader): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw schemaError(reader, "The body is not valid UTF-8.");
  }
}

function parse(text: string, reader: EventReader): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw schemaError(reader, "The body is not valid JSON.");
  }
}

function tokenOf(value: unknown): string {
  if (value === null) return "Null";
  if (Array.isArray(value)) return "StartArray";
  const names = { object: "StartObject", string: "String", number: "Number", boolean: "Boolean" };
  return Object.entries(names).find(([type]) => type === typeof value)?.[1] ?? "None";
}

function schemaError({ schemaName }: EventReader, detail: string): PublishError {
  return new PublishError(
    400,
    "BadRequest",
    `This resource is configured to receive event in '${schemaName}' schema. The JSON received does not conform to the expected schema. ${detail}`,
    [{ code: "InputJsonInvalid", message: detail }],
  );
}
