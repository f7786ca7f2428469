import { randomUUID } from "node:crypto";
import type { AcceptedEvent, EventContent } from "../events/index.js";

/** The attributes of an event of an Azure service. */
export interface ServiceEventContent extends EventContent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly time: string;
}

/** An event that has happened in a resource, and was not simulated. */
export interface RaisedEvent {
  readonly type: string;
  /** Resource ID of the source. */
  readonly scope: string;
  readonly subject: string;
  /** @param sequence grows with each event */
  readonly data: (sequence: number) => Readonly<Record<string, unknown>>;
}

/** @param cloud its clock, and the number of the event */
export function raisedContent(
  { type, scope, subject, data }: RaisedEvent,
  { now, sequence }: { readonly now: number; readonly sequence: number },
): ServiceEventContent {
  const time = new Date(now).toISOString();
  const attributes = { specversion: "1.0", id: randomUUID(), source: scope, type, subject, time };
  return { ...attributes, data: data(sequence) };
}

/** The event as Event Grid keeps it. */
export function acceptedServiceEvent(content: ServiceEventContent, now: number): AcceptedEvent {
  const { id, type, source, subject, time } = content;
  const json = JSON.stringify(content);
  return {
    id,
    type,
    source,
    subject,
    time,
    json,
    sizeInBytes: Buffer.byteLength(json),
    schema: "CloudEventSchemaV1_0",
    publishedAt: now,
  };
}
