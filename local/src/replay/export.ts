import { ServiceError } from "../base/index.js";
import {
  type AcceptedEvent,
  type DeliveryAttempt,
  deliveredJson,
  type EventGrid,
  type EventRecord,
} from "../eventgrid/index.js";
import { FORMAT } from "./record.js";

/** An accepted event with what the activity log has about it. */
export interface LoggedEvent extends EventRecord {
  readonly attempts: readonly DeliveryAttempt[];
}

/**
 * The events with these numbers in the activity log, oldest first.
 *
 * @throws ServiceError if none of them is in the history any more
 */
export function loggedEvents(eventGrid: EventGrid, numbers: readonly number[]): LoggedEvent[] {
  const chosen = new Set(numbers);
  const events = new Map<AcceptedEvent, EventRecord & { attempts: DeliveryAttempt[] }>();
  for (const activity of eventGrid.activity.list()) {
    if (activity.kind === "event" && chosen.has(activity.number)) {
      events.set(activity.event, { ...activity, attempts: [] });
    } else if (activity.kind === "delivery") {
      for (const event of activity.attempt.events) {
        events.get(event)?.attempts.push(activity.attempt);
      }
    }
  }
  if (events.size > 0) return [...events.values()];
  throw new ServiceError(404, "EventNotFound", "None of these events is in the history any more.");
}

/** A record of an export, and its event. */
export interface ExportedRecord {
  readonly fields: {
    readonly recorded: string;
    /** ISO 8601. */
    readonly time: string;
    readonly topic?: string | undefined;
    readonly subscription?: string | undefined;
    readonly deliveryCount?: number;
  };
  /** The event as JSON. */
  readonly json: string;
}

/** One record for each event, and one for each further delivery of it: its retries and duplicates. */
export function exportedRecords(events: readonly LoggedEvent[]): ExportedRecord[] {
  return events
    .flatMap(({ event, attempts, topic }) => {
      const seen = new Set<string>();
      const further = attempts.filter((attempt) => {
        const isFurther = seen.has(attempt.subscriptionId);
        seen.add(attempt.subscriptionId);
        return isFurther && isDelivery(attempt);
      });
      // An event in a custom schema says nothing about itself: only the topic's mapping does.
      const isCustom = event.schema === "CustomEventSchema";
      const json = isCustom ? deliveredJson(event, "EventGridSchema") : event.json;
      const published = { recorded: FORMAT, time: iso(event.publishedAt), topic };
      return [
        { at: event.publishedAt, json, fields: published },
        ...further.map(({ at, subscription, deliveryCount }) => ({
          at,
          json,
          fields: {
            ...published,
            time: iso(at),
            subscription,
            deliveryCount: deliveryCount + 1,
          },
        })),
      ];
    })
    .sort((a, b) => a.at - b.at);
}

/** An array of records with a line for each, which `replay` reads. */
export function recordingText(records: readonly ExportedRecord[]): string {
  const lines = records.map(
    ({ fields, json }) => `${JSON.stringify(fields).slice(0, -1)},"event":${json}}`,
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** The end of an event that expired is listed among its attempts. */
function isDelivery({ status, request, durationMs }: DeliveryAttempt): boolean {
  return status !== undefined || request !== undefined || durationMs > 0;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
