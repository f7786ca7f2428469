import { iso, serviceError } from "../base/index.js";
import { type AcceptedEvent, deliveredJson, type EventGrid } from "../eventgrid/index.js";
import { FORMAT } from "./record.js";

/**
 * A recording of the events with these numbers in the activity log, which `replay` reads: a record for
 * each event, and one for each further delivery of it, its retries and duplicates; by time.
 *
 * @throws ServiceError if none of the events is in the history any more
 */
export function recordingOf({ activity }: EventGrid, numbers: readonly number[]): string {
  const events = activity.events();
  const records = [...new Set(numbers)].flatMap((number) => {
    const { event, topic } = events.get(number) ?? {};
    if (!event) return [];
    const deliveredTo = new Set<string>();
    const again = activity
      .attemptsOf(event)
      .flatMap(({ at, subscription, subscriptionId, attempt }) => {
        const isFirst = !deliveredTo.has(subscriptionId);
        deliveredTo.add(subscriptionId);
        if (isFirst || attempt === undefined) return [];
        return [recordOf(event, at, { topic, subscription, attempt })];
      });
    return [recordOf(event, event.publishedAt, { topic }), ...again];
  });
  if (records.length === 0) {
    const message = "None of these events is in the history any more.";
    throw serviceError.EventNotFound(message);
  }
  const lines = records.sort((a, b) => a.at - b.at).map(({ json }) => json);
  return `[\n${lines.join(",\n")}\n]\n`;
}

function recordOf(event: AcceptedEvent, at: number, fields: object) {
  // An event in a custom schema says nothing about itself: only the topic's mapping does.
  const isCustom = event.schema === "CustomEventSchema";
  const eventJson = isCustom ? deliveredJson(event, "EventGridSchema") : event.json;
  const record = JSON.stringify({ recorded: FORMAT, time: iso(at), ...fields });
  return { at, json: `${record.slice(0, -1)},"event":${eventJson}}` };
}
