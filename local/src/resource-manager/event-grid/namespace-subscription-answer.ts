import { field, invalidRequest, listAt, objectAt } from "../../base/index.js";
import { type NamespaceSubscription, withoutQuery } from "../../eventgrid/index.js";
import type { Change } from "../engine/index.js";
import { shownMapping } from "./event-subscriptions/index.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The properties of a subscription to a namespace topic as Resource Manager shows them: the URL of a
 * webhook without its query, in another field.
 */
export function shownNamespaceSubscription(
  subscription: NamespaceSubscription,
  change: Change | undefined,
): Fields {
  const { properties, settings, provisioningState } = subscription;
  const filters = objectAt(properties, "filtersConfiguration");
  const { deliveryConfiguration, ...others } = properties;
  return {
    ...others,
    deliveryConfiguration: {
      ...objectAt({ deliveryConfiguration }, "deliveryConfiguration"),
      ...(settings.webhook
        ? { push: shownPush(subscription) }
        : { queue: shownQueue(subscription) }),
    },
    ...(properties.filtersConfiguration !== undefined && {
      filtersConfiguration: { includedEventTypes: null, filters: [], ...filters },
    }),
    provisioningState: change ?? provisioningState,
  };
}

function shownQueue({ properties, settings }: NamespaceSubscription): Fields {
  const { receiveLockDurationInSeconds, maxDeliveryCount } = settings;
  return {
    eventTimeToLive: `P${settings.eventTimeToLiveInMinutes / 1440}D`,
    ...objectAt(properties, "deliveryConfiguration", "queue"),
    receiveLockDurationInSeconds,
    maxDeliveryCount,
  };
}

function shownPush({ properties, settings }: NamespaceSubscription): Fields {
  const push = objectAt(properties, "deliveryConfiguration", "push");
  const { destination, deliveryWithResourceIdentity: identified } = push;
  const { maxDeliveryCount, webhook } = settings;
  return {
    eventTimeToLive: `P${settings.eventTimeToLiveInMinutes / 1440}D`,
    deadLetterDestinationWithResourceIdentity: null,
    ...push,
    maxDeliveryCount,
    ...(destination ? { destination: shownWebhook(destination, webhook) } : {}),
    ...(identified
      ? {
          deliveryWithResourceIdentity: {
            ...objectAt(push, "deliveryWithResourceIdentity"),
            destination: shownWebhook(field(identified, "destination"), webhook),
          },
        }
      : {}),
  };
}

function shownWebhook(
  destination: unknown,
  webhook: NamespaceSubscription["settings"]["webhook"],
): Fields {
  const properties = objectAt(destination, "properties");
  const mappings = listAt(properties, "deliveryAttributeMappings");
  return {
    ...objectAt({ destination }, "destination"),
    properties: {
      azureActiveDirectoryTenantId: null,
      azureActiveDirectoryApplicationIdOrUri: null,
      minimumTlsVersionAllowed: null,
      ...properties,
      ...webhook?.batching,
      deliveryAttributeMappings: mappings.length === 0 ? null : mappings.map(shownMapping),
      endpointUrl: null,
      endpointBaseUrl: withoutQuery(webhook?.endpointUrl ?? ""),
    },
  };
}

/** The only way to read the URL with its query, which may contain a secret. */
export function getFullUrl(subscription: NamespaceSubscription | undefined): Fields {
  const endpointUrl = subscription?.settings.webhook?.endpointUrl;
  if (endpointUrl === undefined) throw invalidRequest("Only webhooks have a full URL.");
  return { endpointUrl };
}

/** The delivery properties without the values of secret ones. */
export function namespaceDeliveryAttributes(
  subscription: NamespaceSubscription | undefined,
): unknown[] {
  const push = objectAt(subscription?.properties, "deliveryConfiguration", "push");
  const destination =
    push.destination ?? field(push, "deliveryWithResourceIdentity", "destination");
  return listAt(destination, "properties", "deliveryAttributeMappings").map(shownMapping);
}
