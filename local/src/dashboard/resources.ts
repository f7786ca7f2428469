import { isWithin } from "../base/index.js";
import {
  destinationId,
  domainTopicNameOf,
  type EventSubscription,
  type EventSubscriptionSettings,
  type Topic,
  topicIdOf,
  withoutQuery,
} from "../eventgrid/index.js";
import { topicHostOf } from "../network/index.js";
import type { RunningCloud } from "./running-cloud.js";

export type Resources = ReturnType<typeof resources>;
export type TopicDetails = ReturnType<typeof topicDetails>;
export type DomainDetails = ReturnType<typeof domainDetails>;
export type SubscriptionDetails = Resources["subscriptions"][number];

/** All resources of the cloud, with the keys that a developer copies from the dashboard. */
export function resources(cloud: RunningCloud) {
  const deliveries = deliveriesBySubscription(cloud);
  return {
    topics: cloud.topics.list().map((topic) => topicDetails(cloud, topic)),
    domains: cloud.domains.list().map((domain) => domainDetails(cloud, domain)),
    subscriptions: cloud.eventSubscriptions.list().map((subscription) => ({
      ...subscriptionDetails(cloud, subscription),
      deliveries: deliveries.get(subscription.id),
    })),
  };
}

export function topicDetails(cloud: RunningCloud, topic: Topic) {
  return {
    id: topic.id,
    name: topic.name,
    resourceGroup: topic.resourceGroupName,
    location: topic.location,
    endpoint: topic.endpoint,
    /** Host name of the topic alone, for clients that keep no path and no port of an endpoint. */
    hostName: topicHostOf(topic.path),
    inputSchema: topic.inputSchema,
    localAuthEnabled: topic.localAuthEnabled,
    ...topic.keys(),
    /** A key that is accepted even if local authentication is off. */
    publishKey: topic.publishKey,
    subscriptions: cloud.eventSubscriptions.list(topic.id).length,
  };
}

export function domainDetails(cloud: RunningCloud, domain: Topic) {
  return {
    ...topicDetails(cloud, domain),
    subscriptions: cloud.eventSubscriptions.list().filter(({ scope }) => isWithin(scope, domain.id))
      .length,
    /** Names of the domain's topics. */
    domainTopics: domain.domainTopics(),
  };
}

/** For example `orders`, or `shop/orders` for a domain's topic. */
function scopeName({ topics, domains }: RunningCloud, scope: string): string | undefined {
  const domain = domains.get(topicIdOf(scope));
  if (!domain) return topics.get(scope)?.name;
  return [domain.name, domainTopicNameOf(scope) ?? []].flat().join("/");
}

export function subscriptionDetails(
  cloud: RunningCloud,
  { id, name, scope, provisioningState, validationUrl, failure, settings }: EventSubscription,
) {
  return {
    id,
    name,
    scope,
    topic: scopeName(cloud, scope),
    state: provisioningState,
    /** The URL that validates the webhook by hand, if it awaits that. */
    validationUrl,
    /** Why its creation failed. */
    failure,
    ...endpointOf(cloud, settings),
    clientId: settings.clientId,
    filter: { ...settings.filter },
    ...settings.retryPolicy,
    batching: settings.batching,
    deadLetterContainer: settings.deadLetter?.properties.blobContainerName,
    expiresAt: settings.expiresAt,
  };
}

/** Counts the outcomes of the attempts in the history. */
function deliveriesBySubscription(cloud: RunningCloud) {
  const durations = new Map<string, { delivered: number[]; failed: number }>();
  for (const { subscriptionId, outcome, durationMs } of cloud.deliveries()) {
    const counted = durations.get(subscriptionId) ?? { delivered: [], failed: 0 };
    durations.set(subscriptionId, counted);
    if (outcome === "delivered") counted.delivered.push(durationMs);
    else counted.failed++;
  }
  return new Map(
    [...durations].map(([id, { delivered, failed }]) => {
      const sorted = delivered.sort((one, other) => one - other);
      const medianMs = sorted[Math.floor(sorted.length / 2)];
      return [id, { delivered: sorted.length, failed, medianMs }];
    }),
  );
}

/** The webhook's URL without the query, which may hold a secret, or a resource ID, and the target in the ingress table. */
function endpointOf(
  { ingress }: RunningCloud,
  { endpointUrl = "", destination }: EventSubscriptionSettings,
) {
  const routedTo = endpointUrl ? ingress.resolve(new URL(endpointUrl))?.origin : undefined;
  if (destination) {
    const endpoint = destinationId(destination);
    return { endpointType: destination.endpointType, endpoint, routedTo };
  }
  return { endpointType: "WebHook" as const, endpoint: withoutQuery(endpointUrl), routedTo };
}
