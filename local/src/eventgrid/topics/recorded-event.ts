import { LocalCloudError } from "../../base/index.js";
import type { InputSchema } from "../events/index.js";
import { eventReader } from "./event-reader.js";
import { MAX_EVENT_BYTES, type PublishedEvent } from "./publish-route.js";

/** The schemas in which Event Grid hands over events. */
export type RecordedSchema = Exclude<InputSchema, "CustomEventSchema">;

/**
 * Reads an event that another Event Grid has accepted, and that names the topic or resource there.
 *
 * @param topicId resource ID of the topic, for an event in the Event Grid schema that names none
 * @throws LocalCloudError `ERR_EVENT` if it does not fit its schema
 */
export function readRecordedEvent(
  { json, schema }: { readonly json: string; readonly schema: RecordedSchema },
  topicId: string,
  now: number,
): PublishedEvent {
  const content = JSON.parse(json);
  const ownTopic = typeof content.topic === "string" && content.topic !== "" && content.topic;
  const reader = eventReader(
    { id: ownTopic || topicId, isDomain: false, inputSchema: schema, inputSchemaMapping: {} },
    now,
  );
  const sizeInBytes = Buffer.byteLength(json);
  const problem =
    reader.problemOf(content) ??
    (sizeInBytes > MAX_EVENT_BYTES
      ? `it has ${sizeInBytes} bytes, above the limit of ${MAX_EVENT_BYTES}`
      : undefined);
  if (problem !== undefined) throw new LocalCloudError("ERR_EVENT", problem);
  const attributes = reader.attributesOf(content, json);
  const event = {
    ...attributes,
    schema,
    sizeInBytes: Buffer.byteLength(attributes.json),
    publishedAt: now,
  };
  return { event, content: reader.contentOf(content, attributes), domainTopicId: undefined };
}
