import { iso } from "../base/index.js";
import {
  type Namespace,
  type NamespaceSubscription,
  type NamespaceTopic,
  withoutQuery,
} from "../eventgrid/index.js";

export type NamespaceDetails = ReturnType<typeof namespaceDetails>;
export type NamespaceSubscriptionDetails = ReturnType<typeof subscriptionDetails>;
export type QueuedEventDetails = ReturnType<typeof queuedEventDetails>;

/** A namespace with its topics and event subscriptions. */
export function namespaceDetails(namespace: Namespace) {
  const { id, name, resourceGroupName: resourceGroup, location, endpoint } = namespace;
  const topics = namespace.topics.list().map(topicDetails);
  return { id, name, resourceGroup, location, endpoint, ...namespace.keys(), topics };
}

function topicDetails(topic: NamespaceTopic) {
  const { id, name, eventRetentionInDays } = topic;
  const subscriptions = topic.subscriptions.list().map(subscriptionDetails);
  return { id, name, eventRetentionInDays, ...topic.keys(), subscriptions };
}

/** Only queues have numbers of events. */
function subscriptionDetails(subscription: NamespaceSubscription) {
  const { id, name, provisioningState, settings, counts } = subscription;
  return {
    id,
    name,
    state: provisioningState,
    deliveryMode: settings.deliveryMode,
    endpoint: settings.webhook && withoutQuery(settings.webhook.endpointUrl),
    ...counts,
    oldest: counts?.oldest === undefined ? undefined : iso(counts.oldest),
  };
}

/** An event of a queue, as receivers get it. */
export function queuedEventDetails({
  event: { id, type, subject, json, publishedAt },
  ...entry
}: ReturnType<NamespaceSubscription["entries"]>[number]) {
  return { ...entry, publishedAt: iso(publishedAt), id, type, subject, json };
}
