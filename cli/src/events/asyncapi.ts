import type { EventCatalogue } from "cloud-eventgrid-binding-runtime/events";
import { type PayloadSchema, payloadSchema } from "./payload-schema.js";
import { type JsonSchema, withReferences } from "./spelling.js";

/** An AsyncAPI document, as it is printed. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
  readonly [member: string]: unknown;
}

interface Message {
  readonly name: string;
  readonly payload: { readonly schemaFormat: string; readonly schema: JsonSchema };
  readonly [member: string]: unknown;
}

const DIALECT = "draft-07";

/**
 * The AsyncAPI 3 document of a catalogue: one channel, and a message for each event type, as
 * CloudEvents 1.0 in structured mode. The same catalogue always gives the same text.
 *
 * @param topic names the channel
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function asyncApiDocument(catalogue: EventCatalogue, topic: string): AsyncApiDocument {
  const messages: Record<string, Message> = {};
  for (const [key, eventType] of keysOf(catalogue)) {
    messages[key] = message(key, eventType, payloadSchema(catalogue, eventType, DIALECT));
  }
  const references = Object.keys(messages).map((key) => [
    key,
    { $ref: `#/components/messages/${pointerToken(key)}` },
  ]);
  return {
    asyncapi: "3.0.0",
    info: { title: `Events of ${topic}`, version: "1.0.0" },
    defaultContentType: "application/cloudevents+json",
    channels: {
      // Where the topic is depends on the environment.
      [topic]: { address: null, messages: Object.fromEntries(references) },
    },
    operations: {
      publish: { action: "send", channel: { $ref: `#/channels/${pointerToken(topic)}` } },
    },
    components: { messages },
  };
}

/** Names that Windows keeps for devices, whatever follows their first dot. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The event types, sorted, by keys that AsyncAPI allows and that are file names on every system: letters
 * of both cases count as the same, and no key is a member of every object.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function keysOf({ types }: EventCatalogue): ReadonlyMap<string, string> {
  const members = Object.getOwnPropertyNames(Object.prototype);
  const taken = new Set(members.map((each) => each.toLowerCase()));
  return new Map(
    [...types].sort().map((eventType) => {
      const plain = eventType.replace(/[^\w.-]/g, "_").slice(0, 200);
      const key = plain.replace(DEVICES, "$1_");
      let free = key;
      for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${key}_${number}`;
      taken.add(free.toLowerCase());
      return [free, eventType];
    }),
  );
}

function message(key: string, eventType: string, payload: PayloadSchema): Message {
  const data = "schema" in payload ? payload.schema : undefined;
  const place = `#/components/messages/${pointerToken(key)}/payload/schema/properties/data`;
  const documentation = "documentation" in payload ? payload.documentation : undefined;
  return {
    name: eventType,
    ...("missing" in payload && { description: `No schema: ${payload.missing}.` }),
    ...(documentation !== undefined && { externalDocs: { url: documentation } }),
    payload: {
      schemaFormat: `application/schema+json;version=${DIALECT}`,
      schema: {
        type: "object",
        required: ["id", "source", "specversion", "type", ...(data ? ["data"] : [])],
        properties: {
          id: { type: "string", minLength: 1 },
          source: { type: "string", format: "uri-reference", minLength: 1 },
          specversion: { const: "1.0" },
          type: { const: eventType },
          subject: { type: "string", minLength: 1 },
          time: { type: "string", format: "date-time" },
          datacontenttype: { type: "string", minLength: 1 },
          dataschema: { type: "string", format: "uri", minLength: 1 },
          ...(data && { data: withReferences(data, (each) => place + each.slice(1)) }),
        },
      },
    },
  };
}

function pointerToken(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
