import { iso, ServiceError } from "../base/index.js";
import {
  type AcceptedEvent,
  type DeliveryAttempt,
  deliveredJson,
  type EventGrid,
} from "../eventgrid/index.js";
import { FORMAT } from "./record.js";

/**
 * A recording of the events with these numbers in the activity log, which `replay` reads.
 *
 * @throws ServiceError if none of the events is in the history any more
 */
export function recordingOf(eventGrid: EventGrid, numbers: readonly number[]): string {
  const lines = recordsOf(eventGrid, numbers).map(
    ({ fields, json }) => `${JSON.stringify(fields).slice(0, -1)},"event":${json}}`,
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

/**
 * A record for each event, and one for each further delivery of it, its retries and duplicates; by
 * time.
 *
 * @throws ServiceError if none of the events is in the history any more
 */
export function recordsOf({ activity }: EventGrid, numbers: readonly number[]) {
  const wanted = new Set(numbers);
  const chosen = new Map<AcceptedEvent, { topic: string | undefined; deliveredTo: Set<string> }>();
  const records: ReturnType<typeof recordOf>[] = [];
  for (const entry of activity.list()) {
    if (entry.kind === "event" && wanted.has(entry.number)) {
      const { event, topic } = entry;
      chosen.set(event, { topic, deliveredTo: new Set() });
      records.push(recordOf(event, event.publishedAt, { topic }));
    }
    if (entry.kind !== "delivery") continue;
    const { at, subscription, subscriptionId, attempt, events } = entry.attempt;
    for (const event of events) {
      const { topic, deliveredTo } = chosen.get(event) ?? {};
      if (deliveredTo?.has(subscriptionId) && isDelivery(entry.attempt)) {
        records.push(recordOf(event, at, { topic, subscription, attempt }));
      }
      deliveredTo?.add(subscriptionId);
    }
  }
  if (records.length > 0) return records.sort((a, b) => a.at - b.at);
  throw new ServiceError(404, "EventNotFound", "None of these events is in the history any more.");
}

interface RecordFields {
  readonly topic: string | undefined;
  readonly subscription?: string;
  readonly attempt?: number;
}

function recordOf(event: AcceptedEvent, at: number, fields: RecordFields) {
  // An event in a custom schema says nothing about itself: only the topic's mapping does.
  const isCustom = event.schema === "CustomEventSchema";
  const json = isCustom ? deliveredJson(event, "EventGridSchema") : event.json;
  return { event, at, fields: { recorded: FORMAT, time: iso(at), ...fields }, json };
}

/** The end of an event that expired is listed among its attempts. */
function isDelivery({ status, request, durationMs }: DeliveryAttempt): boolean {
  return status !== undefined || request !== undefined || durationMs > 0;
}
