import type { AcceptedEvent, InputSchema } from "./event.js";
import { membersOf, objectText } from "./json-text.js";

/** The schema in which a subscription gets events. `CustomInputSchema` delivers them unchanged. */
export type DeliverySchema = "CloudEventSchemaV1_0" | "EventGridSchema" | "CustomInputSchema";

/**
 * The delivery schemas of each input schema; the first is the default.
 *
 * @see https://learn.microsoft.com/azure/event-grid/input-mappings#subscribe-to-event-grid-topic
 */
export const deliverySchemas: Readonly<
  Record<InputSchema, readonly [DeliverySchema, ...DeliverySchema[]]>
> = {
  CloudEventSchemaV1_0: ["CloudEventSchemaV1_0"],
  EventGridSchema: ["EventGridSchema", "CloudEventSchemaV1_0"],
  CustomEventSchema: ["CustomInputSchema", "EventGridSchema", "CloudEventSchemaV1_0"],
};

/** The delivery schemas for events of Azure services, which have the Event Grid schema. */
export const systemDeliverySchemas: readonly [DeliverySchema, ...DeliverySchema[]] = [
  "EventGridSchema",
  "CloudEventSchemaV1_0",
];

/** The event as JSON in the delivery schema. `data` keeps its exact text. */
export function deliveredJson(event: AcceptedEvent, schema: DeliverySchema): string {
  if (schema === "CustomInputSchema" || schema === event.schema) return event.json;
  return schema === "EventGridSchema" ? asEventGridEvent(event) : asCloudEvent(event);
}

function asCloudEvent(event: AcceptedEvent): string {
  const { id, source, type, subject, time, dataVersion } = event;
  return objectOf({
    specversion: JSON.stringify("1.0"),
    id: JSON.stringify(id),
    source: JSON.stringify(source),
    type: JSON.stringify(type),
    subject: JSON.stringify(subject),
    time: JSON.stringify(time),
    dataschema: dataVersion ? JSON.stringify(`#${dataVersion}`) : undefined,
    data: dataOf(event),
  });
}

function asEventGridEvent(event: AcceptedEvent): string {
  const { id, source, type, subject = "", time, dataVersion = "" } = event;
  return objectOf({
    topic: JSON.stringify(source),
    subject: JSON.stringify(subject),
    eventType: JSON.stringify(type),
    id: JSON.stringify(id),
    eventTime: JSON.stringify(time),
    data: dataOf(event),
    dataVersion: JSON.stringify(dataVersion),
    metadataVersion: JSON.stringify("1"),
  });
}

/** The text of the data. An event in a custom schema is its own data. */
function dataOf(event: AcceptedEvent): string | undefined {
  return event.schema === "CustomEventSchema" ? event.json : membersOf(event.json).get("data");
}

function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  return objectText(
    Object.entries(members).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
}
