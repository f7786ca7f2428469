import * as v from "valibot";
import { groupsOf, isNamed, optional, required, split, text } from "../base/index.js";
import {
  type NamespaceDetails,
  namespaceDetails,
  queuedEventDetails,
  type RunningCloud,
} from "../dashboard/index.js";
import { accessKeyName, type NamespaceSubscription } from "../eventgrid/index.js";
import { command, commandOf, deletion, invalidLine, line, named, unknown } from "./command.js";
import { clockTime, table } from "./output.js";

const creation = v.looseObject({
  name: v.string(),
  topic: v.optional(v.looseObject({ name: v.string() })),
  subscription: v.optional(v.looseObject({ name: v.string() })),
});

/** Events of a queue that the page shows: as many as a receiver can take at once. */
const MOST_SHOWN = 100;

/** Commands for namespaces: what they contain, and the events of their queues. Receivers use the data plane. */
export const namespaceCommands = {
  "GET namespaces": command({
    help: "lists [namespaces](local-azure-events.md#namespaces) with their topics, queues and numbers of events",
    needsToken: true,
    run: ({ namespaces }) => namespaces.list().map(namespaceDetails),
    line: {
      words: "namespaces",
      help: "list, create and delete [namespaces](local-azure-events.md#namespaces) with their topics and queues",
      text: namespaceTable,
    },
  }),
  "POST namespaces/create": commandOf(creation, {
    help: "creates what does not exist of the three",
    bodyExample: '{"name","topic"?:{"name"},"subscription"?:{"name"}}',
    needsToken: true,
    run: async ({ namespaces }, { topic, subscription, ...settings }) => {
      const namespace =
        namespaces.list().find((each) => isNamed(each, settings.name)) ??
        namespaces.create(settings);
      const created = topic && (namespace.topics.get(topic.name) ?? namespace.topics.create(topic));
      if (created && subscription) await created.subscriptions.create(subscription);
      return namespaceDetails(namespace);
    },
    line: createLine(),
  }),
  "POST namespaces/delete": command({
    help: "deletes a namespace",
    needsToken: true,
    inputs: { namespace: required(text, "<name>", "name or resource ID") },
    run: (cloud, { namespace }) =>
      cloud.namespaces.delete(named("namespace", cloud.namespaces, namespace).id),
    line: deletion("namespaces delete", "delete a namespace and everything in it"),
  }),
  "POST namespaces/regenerate-key": command({
    help: "replaces `key1` or `key2` of a namespace, or of a topic, `NAMESPACE/TOPIC`",
    needsToken: true,
    inputs: { namespace: required(text), key: required(text) },
    run: (cloud, { namespace, key }) => {
      const [name, topicName] = split(namespace, "/");
      const owner = named("namespace", cloud.namespaces, name);
      const keyed = topicName === undefined ? owner : owner.topics.get(topicName);
      if (!keyed) throw unknown("namespace topic", namespace);
      return keyed.regenerateKey(accessKeyName(key));
    },
  }),
  "GET namespaces/events": command({
    help: "the oldest 100 events of a queue with their state, and the lock tokens of those that are locked",
    needsToken: true,
    inputs: { subscription: optional(text) },
    run: (cloud, { subscription = "" }) =>
      subscriptionAt(cloud, subscription).entries(MOST_SHOWN).map(queuedEventDetails),
  }),
};

function createLine() {
  return line({
    words: "namespaces create",
    help: "create a namespace, or a topic and a queue in an existing one",
    inputs: {
      name: required(text, "<name>", "3 to 50 letters, digits or hyphens"),
      resourceGroupName: optional(text, "--resource-group <name>", "resource group", {
        initial: "local",
      }),
      topic: optional(text, "--topic <name>", "topic in the namespace"),
      queue: optional(
        text,
        "--queue <name>",
        "event subscription of the topic, from which events are received",
      ),
    },
    body: ({ name, resourceGroupName, topic, queue }) => {
      if (queue !== undefined && topic === undefined) {
        throw invalidLine("--queue needs the --topic that it belongs to.");
      }
      return {
        name,
        resourceGroupName,
        topic: topic && { name: topic },
        subscription: queue && { name: queue },
      };
    },
    text: ({ endpoint, key1 }: NamespaceDetails, { name, topic, queue }) => {
      const path = [name, topic, queue].filter((part) => part !== undefined).join("/");
      return `Created ${path}.\nendpoint  ${endpoint}\nkey       ${key1}`;
    },
  });
}

function namespaceTable(found: readonly NamespaceDetails[]): string {
  const rows = found.flatMap((namespace) =>
    namespace.topics.flatMap((topic) =>
      topic.subscriptions.map((each) => [
        `${namespace.name}/${topic.name}/${each.name}`,
        each.deliveryMode,
        each.waiting,
        each.locked,
        each.delayed,
        each.acknowledged,
        each.oldest === undefined ? "" : clockTime(each.oldest),
      ]),
    ),
  );
  const endpoints = table(
    ["NAMESPACE", "TOPICS", "ENDPOINT"],
    found.map(({ name, topics, endpoint }) => [
      name,
      topics.map((topic) => topic.name).join(", "),
      endpoint,
    ]),
    "No namespaces. Create one with: npx --no -- cloud-eventgrid-local namespaces create shop --topic orders --queue orders-service",
  );
  if (rows.length === 0) return endpoints;
  const columns = [
    "SUBSCRIPTION",
    "MODE",
    "WAITING",
    "LOCKED",
    "DELAYED",
    "ACKNOWLEDGED",
    "OLDEST",
  ];
  return `${endpoints}\n${table(columns, rows)}`;
}

function subscriptionAt({ namespaces }: RunningCloud, path: string): NamespaceSubscription {
  const [namespace, topic, subscription] = groupsOf(/(.*)\/(.*)\/(.*)/, path);
  const found =
    namespaces.subscription(path) ??
    namespaces
      .list()
      .find((each) => isNamed(each, namespace))
      ?.topics.get(topic)
      ?.subscriptions.get(subscription);
  if (found) return found;
  throw unknown("event subscription NAMESPACE/TOPIC/NAME", path);
}
