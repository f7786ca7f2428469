import { isNamed, iso, nameIn, optional, required, sameText, text } from "../base/index.js";
import {
  type DeadLetterDetails,
  deadLetterDetails,
  eventDetails,
  eventsWith,
  type RunningCloud,
  rowsAfter,
  shownAttempt,
  streamActivity,
} from "../dashboard/index.js";
import type { AcceptedEvent, DeliveryAttempt } from "../eventgrid/index.js";
import { command, numberOrId, unknown } from "./command.js";
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
  "GET events": command({
    help: "returns the events that a topic, a domain or NAMESPACE/TOPIC accepted, as they were published",
    inputs: {
      topic: required(text, "<topic>", "name or resource ID; of a namespace NAMESPACE/TOPIC"),
    },
    run: (cloud, { topic }) => {
      const events = topicCalled(cloud, topic).history.list();
      return new JsonText<readonly unknown[]>(jsonList(events.map(({ json }) => json)));
    },
    line: {
      words: "events",
      help: "list the events that a topic accepted, as they were published",
      text: (events) => events.map((each) => JSON.stringify(each)).join("\n") || "No events.",
    },
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
            `${each.destinationType} ${nameIn(each.destination)}`,
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
  "GET search": command({
    needsToken: true,
    inputs: { text: required(text) },
    run: ({ eventGrid }, { text }) => eventsWith(eventGrid.activity, text),
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

function topicCalled({ topics, domains, namespaces }: RunningCloud, nameOrId: string) {
  const inNamespaces = namespaces
    .list()
    .flatMap((namespace) =>
      namespace.topics.list().map((topic) => ({ topic, path: `${namespace.name}/${topic.name}` })),
    );
  const all = [...topics.list(), ...domains.list()];
  const found = all.find((each) => isNamed(each, nameOrId));
  const below = inNamespaces.find(
    ({ topic, path }) => sameText(path, nameOrId) || sameText(topic.id, nameOrId),
  );
  const topic = found ?? below?.topic;
  if (topic) return topic;
  const names = [...all.map(({ name }) => name), ...inNamespaces.map(({ path }) => path)];
  throw unknown("topic", nameOrId, names);
}

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
