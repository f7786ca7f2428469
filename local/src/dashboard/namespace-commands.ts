import * as v from "valibot";
import { fields, isNamed, list, oneOf, ServiceError, text } from "../base/index.js";
import {
  accessKeyName,
  type Namespace,
  type NamespaceSubscription,
  type NamespaceTopic,
} from "../eventgrid/index.js";
import { type Commands, read } from "../remote/index.js";
import type { DashboardCloud } from "./cloud.js";
import type { NamespaceDetails, QueuedEventDetails, ReceivedEventDetails } from "./protocol.js";

/** `NAMESPACE/TOPIC/SUBSCRIPTION`, or a resource ID. */
const receiving = fields({
  subscription: text,
  maxEvents: v.optional(v.number()),
  waitSeconds: v.optional(v.number()),
});
const settling = fields({
  subscription: text,
  operation: oneOf("acknowledge", "release", "reject", "renewLocks"),
  lockTokens: list(text),
  delaySeconds: v.optional(v.number()),
});
const creation = v.looseObject({
  name: v.string(),
  topic: v.optional(v.looseObject({ name: v.string() })),
  subscription: v.optional(v.looseObject({ name: v.string() })),
});

/** Events of a queue that the page shows: as many as a receiver can take at once. */
const MOST_SHOWN = 100;

/** The commands for namespaces, by method and path below `/local/`. */
export const namespaceCommands: Commands<DashboardCloud> = {
  "GET namespaces": ({ namespaces }) => namespaces.list().map(namespaceDetails),

  /** The oldest events of a queue. They stay where they are. */
  "GET namespaces/events": (cloud, _, query): QueuedEventDetails[] =>
    subscriptionAt(cloud, query.get("subscription") ?? "")
      .entries(MOST_SHOWN)
      .map(({ event: { id, type, subject, json, publishedAt }, ...entry }) => ({
        ...entry,
        publishedAt,
        id,
        type,
        subject,
        json,
      })),

  /** Creates what does not exist: a namespace, a topic in it, and an event subscription to that. */
  "POST namespaces/create": async ({ namespaces }, body) => {
    const { topic, subscription, ...settings } = read(creation, body);
    const namespace =
      namespaces.list().find((each) => isNamed(each, settings.name)) ?? namespaces.create(settings);
    const created = topic && (namespace.topics.get(topic.name) ?? namespace.topics.create(topic));
    if (created && subscription) await created.subscriptions.create(subscription);
    return namespaceDetails(namespace);
  },
  "POST namespaces/delete": (cloud, body) => {
    const { namespace } = read(fields({ namespace: text }), body);
    cloud.namespaces.delete(namespaceNamed(cloud, namespace).id);
  },
  /** `namespace` is the name of a namespace, or NAMESPACE/TOPIC. */
  "POST namespaces/regenerate-key": (cloud, body) => {
    const { namespace, key } = read(fields({ namespace: text, key: text }), body);
    const [name = "", topicName] = namespace.split("/");
    const owner = namespaceNamed(cloud, name);
    const keyed = topicName === undefined ? owner : owner.topics.get(topicName);
    if (!keyed) throw unknown("namespace topic", namespace);
    return keyed.regenerateKey(accessKeyName(key));
  },
  "POST namespaces/receive": async (cloud, body): Promise<ReceivedEventDetails[]> => {
    const { subscription, maxEvents, waitSeconds = 0 } = read(receiving, body);
    const events = await subscriptionAt(cloud, subscription).receive({
      maxEvents,
      maxWaitMs: waitSeconds * 1000,
    });
    return events.map(({ event, ...lock }) => ({ ...lock, event: JSON.parse(event.json) }));
  },
  "POST namespaces/settle": (cloud, body) => {
    const { subscription, operation, lockTokens, delaySeconds = 0 } = read(settling, body);
    const found = subscriptionAt(cloud, subscription);
    if (operation === "release") return found.release(lockTokens, delaySeconds * 1000);
    return found[operation](lockTokens);
  },
};

function namespaceDetails(namespace: Namespace): NamespaceDetails {
  const { id, name, resourceGroupName, location, endpoint } = namespace;
  const topics = namespace.topics.list().map(topicDetails);
  return {
    id,
    name,
    resourceGroup: resourceGroupName,
    location,
    endpoint,
    ...namespace.keys(),
    topics,
  };
}

function topicDetails(topic: NamespaceTopic): NamespaceDetails["topics"][number] {
  const { id, name, eventRetentionInDays } = topic;
  const subscriptions = topic.subscriptions.list().map((each) => ({
    id: each.id,
    name: each.name,
    state: each.provisioningState,
    deliveryMode: each.settings.deliveryMode,
    endpoint: each.settings.webhook?.endpointUrl.replace(/[?#].*$/s, ""),
    ...each.counts,
  }));
  return { id, name, eventRetentionInDays, ...topic.keys(), subscriptions };
}

function namespaceNamed({ namespaces }: DashboardCloud, name: string): Namespace {
  const found = namespaces.list().find((each) => isNamed(each, name));
  if (found) return found;
  throw unknown("namespace", name);
}

function subscriptionAt({ namespaces }: DashboardCloud, path: string): NamespaceSubscription {
  const [namespace = "", topic = "", subscription = ""] = path.split("/");
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

function unknown(kind: string, name: string): ServiceError {
  return new ServiceError(404, "ResourceNotFound", `There is no ${kind} '${name}'.`);
}
