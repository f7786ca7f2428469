import { iso, optional, required, text } from "../base/index.js";
import {
  type DeadLetterDetails,
  deadLetterDetails,
  eventDetails,
  rowsAfter,
  shownAttempt,
  streamActivity,
} from "../dashboard/index.js";
import type { AcceptedEvent, DeliveryAttempt } from "../eventgrid/index.js";
import { command, numberOrId } from "./command.js";
import { clockTime, JsonText, jsonList, jsonWith, table } from "./output.js";

const subscription = optional(text, "--subscription <name>", "only of this event subscription");

/**
 * What happened. Events remain the published text: parsing and writing would lose digits, and would
 * fail for deep nesting.
 */
export const activityCommands = {
  "GET deliveries": command({
    help: "returns the delivery attempts",
    run: (cloud) => new JsonText(jsonList(cloud.deliveries().map(shownDelivery))),
  }),
  "GET handshakes": command({
    help: "returns the handshakes",
    run: (cloud) => cloud.handshakes().map((each) => ({ ...each, at: iso(each.at) })),
  }),
  "GET dead-letters": command({
    help: "returns the dead letters",
    inputs: { subscription },
    run: (cloud, { subscription }) => published(cloud.deadLetters(), subscription),
  }),
  "GET messages": command({
    help: "returns the messages in queues, topics and event hubs",
    inputs: { subscription },
    run: (cloud, { subscription }) => {
      const messages = cloud.messages().map((each) => ({ ...each, at: iso(each.at) }));
      return published(messages, subscription);
    },
    line: {
      words: "messages",
      help: "list messages in queues, Service Bus topics and event hubs",
      text: (messages) =>
        table(
          ["TIME", "SUBSCRIPTION", "DESTINATION", "MESSAGE"],
          messages.map((each) => [
            clockTime(each.at),
            each.subscription,
            `${each.destinationType} ${each.destination.split("/").at(-1)}`,
            each.body,
          ]),
          "No messages.",
        ),
    },
  }),

  "GET activity": command({
    needsToken: true,
    inputs: { limit: optional(text) },
    run: ({ eventGrid }, { limit }) => rowsAfter(eventGrid.activity, 0, Number(limit ?? 1_000)),
  }),
  "GET live": command({
    needsToken: true,
    inputs: { after: optional(text) },
    run: (cloud, { after }, exchange) => streamActivity(exchange, cloud, Number(after ?? 0)),
  }),
  "GET event": command({
    needsToken: true,
    inputs: { number: required(numberOrId, undefined, "number or id of the event") },
    run: ({ eventGrid }, { number }) => eventDetails(eventGrid, number),
  }),
  "GET dead-letter-details": command({
    needsToken: true,
    run: ({ eventGrid }): DeadLetterDetails[] =>
      eventGrid.deadLetters().map((each) => deadLetterDetails(each, eventGrid)),
  }),
};

function shownDelivery(delivery: DeliveryAttempt): string {
  const events = jsonList(delivery.events.map(({ json }) => json));
  return jsonWith(shownAttempt(delivery), "events", events);
}

/** The entries of an event subscription, or all, with the published text of their events. */
function published<T extends { readonly subscription: string; readonly event: AcceptedEvent }>(
  entries: readonly T[],
  subscription: string | undefined,
) {
  const chosen = entries.filter(
    (each) => subscription === undefined || each.subscription === subscription,
  );
  const texts = chosen.map(({ event, ...fields }) => jsonWith(fields, "event", event.json));
  return new JsonText<readonly Omit<T, "event">[]>(jsonList(texts));
}
