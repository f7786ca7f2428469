import { isObject } from "../../validation/index.js";

/** Whether an element of a delivery has Event Grid's own schema instead of that of CloudEvents. */
export function isEventGridEvent(element: unknown): element is EventGridEvent {
  return isObject(element) && element.specversion === undefined && element.eventType !== undefined;
}

type EventGridEvent = Readonly<Record<string, unknown>>;

/**
 * Turns an event of Event Grid's own schema into the CloudEvent that Event Grid delivers for it to a
 * subscription with the CloudEvents schema. `metadataVersion` has no counterpart.
 *
 * @see https://learn.microsoft.com/azure/event-grid/cloud-event-schema
 */
export function asCloudEvent(event: EventGridEvent): Record<string, unknown> {
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
