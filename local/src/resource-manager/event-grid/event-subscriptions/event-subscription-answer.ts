import {
  asText,
  field,
  invalidRequest,
  isObject,
  iso,
  listAt,
  objectAt,
  propertiesIn,
  sameText,
  textAt,
  utcTime,
} from "../../../base/index.js";
import {
  ALTERNATIVES,
  type EventSubscription,
  type NamespaceSubscription,
  withoutQuery,
} from "../../../eventgrid/index.js";
import type { Change } from "../../engine/index.js";

type Properties = EventSubscription["properties"];

/** The destination of a subscription, which may be below the identity that delivers to it. */
export function destinationOf({
  destination,
  deliveryWithResourceIdentity: identified,
}: Properties) {
  return destination ?? field(identified, "destination");
}

/** The properties with another destination, in the same place. */
function withDestination(
  properties: Properties,
  change: (destination: Properties) => Properties,
): Properties {
  const { destination, deliveryWithResourceIdentity: identified } = properties;
  return {
    ...properties,
    ...(isObject(destination) && { destination: change(destination) }),
    ...(isObject(identified) && {
      deliveryWithResourceIdentity: {
        ...identified,
        destination: change(objectAt(identified, "destination")),
      },
    }),
  };
}

/** The only way to read the URL with its query, which may contain a secret. */
export function fullUrlOf(endpointUrl: string | undefined): object {
  if (endpointUrl === undefined) throw invalidRequest("Only webhooks have a full URL.");
  return { endpointUrl };
}

/** The delivery properties without the values of secret ones. */
export function deliveryAttributes(properties: Properties): object {
  const mappings = mappingsOf(destinationOf(properties));
  return { value: mappings.length === 0 ? null : mappings.map(shownMapping) };
}

function mappingsOf(destination: unknown): unknown[] {
  return listAt(propertiesIn(destination), "deliveryAttributeMappings");
}

function shownMapping(mapping: unknown): unknown {
  if (field(propertiesIn(mapping), "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}

/**
 * The properties after a PATCH, whose body has the changed ones at its top level. A destination is
 * replaced as a whole, except for what only a write contains: clients such as az send back the
 * destination that they read, without the webhook's URL and the values of secret delivery properties.
 */
export function patched(stored: Properties, changes: Properties): Properties {
  const before = destinationOf(stored);
  const others = { ...stored };
  // A subscription has only one of the two, and az sends only the one that it means.
  for (const [plain, identified] of ALTERNATIVES) {
    if (isObject(changes[plain])) delete others[identified];
    if (isObject(changes[identified])) delete others[plain];
  }
  return {
    ...others,
    ...withDestination(changes, (destination) => withSecrets(destination, before)),
  };
}

function withSecrets(destination: Properties, before: unknown): Properties {
  const properties = propertiesIn(destination);
  const endpointUrl = textAt(propertiesIn(before), "endpointUrl");
  const isWebhook = sameText(textAt(destination, "endpointType"), "WebHook");
  const mappings = mappingsOf(destination);
  return {
    ...destination,
    properties: {
      ...properties,
      ...(isWebhook && { endpointUrl: properties.endpointUrl ?? endpointUrl }),
      ...(mappings.length > 0 && {
        deliveryAttributeMappings: mappings.map((each) => withSecret(each, before)),
      }),
    },
  };
}

function withSecret(mapping: unknown, before: unknown): unknown {
  const { isSecret, value } = propertiesIn(mapping);
  if (isSecret !== true || (value != null && value !== "Hidden")) return mapping;
  return (
    mappingsOf(before).find((each) => field(each, "name") === field(mapping, "name")) ?? mapping
  );
}

/**
 * The properties of an event subscription as Resource Manager shows them: the stored ones without
 * secrets, and unless a PUT goes on with the defaults. The URL has no query, and missing subject
 * filters are empty strings, which the azurerm provider needs to see no change.
 */
export function shownProperties(
  subscription: EventSubscription,
  isChanging = subscription.provisioningState === "Creating" ||
    subscription.provisioningState === "Updating",
): Properties {
  const { scope, provisioningState, properties, settings } = subscription;
  const { expirationTimeUtc } = properties;
  const filter = shownFilter(objectAt(properties, "filter"));
  const hasOwnFilter = isChanging && properties.filter !== undefined;
  return {
    ...withDestination(properties, (destination) =>
      shownDestination(destination, subscription, isChanging),
    ),
    retryPolicy: settings.retryPolicy,
    expirationTimeUtc: expirationTimeUtc ? inWholeSeconds(asText(expirationTimeUtc)) : undefined,
    filter: hasOwnFilter ? filter : { ...UNSET_FILTER, ...filter },
    ...(!isChanging && { eventDeliverySchema: settings.deliverySchema }),
    topic: shownScope(scope),
    provisioningState,
  };
}

/** Event Grid shows the scope in lower case, except for the part that Resource Manager owns. */
function shownScope(scope: string): string {
  return scope.replace(
    /(\/subscriptions\/[^/]*(?:\/resourceGroups\/)?)(.*)/i,
    (_, root: string, rest: string) => root + rest.toLowerCase(),
  );
}

const UNSET_FILTER = { subjectBeginsWith: "", subjectEndsWith: "" };

function inWholeSeconds(time: string): string {
  return `${iso(utcTime(time)).split(".")[0]}Z`;
}

/** Leaves out `false`, and an empty list of advanced filters, which providers take for a block. */
function shownFilter({ isSubjectCaseSensitive, ...filter }: Properties): Properties {
  const { advancedFilters, ...others } = filter;
  const shown = listAt(filter, "advancedFilters").length === 0 ? others : filter;
  return isSubjectCaseSensitive === true ? { ...shown, isSubjectCaseSensitive } : shown;
}

/** Webhooks and functions have their batch settings even if none were written. */
function shownDestination(
  destination: Properties,
  subscription: EventSubscription,
  isChanging: boolean,
) {
  const { endpointUrl, deliveryAttributeMappings, ...rest } = propertiesIn(destination);
  const { batching, endpointUrl: url, destination: other } = subscription.settings;
  const webhook = url !== undefined && {
    ...(!isChanging && batching),
    ...(other ? {} : { endpointUrl: null, endpointBaseUrl: baseUrlOf(url) }),
  };
  const mappings = mappingsOf(destination);
  return {
    ...destination,
    properties: {
      ...rest,
      ...webhook,
      ...(mappings.length > 0 && { deliveryAttributeMappings: mappings.map(shownMapping) }),
    },
  };
}

/** The URL without its query and without the default port. */
function baseUrlOf(url: string): string {
  return withoutQuery(url).replace(/^(https:\/\/[^/]+):443(?![^/])/i, "$1");
}

/**
 * The properties of a subscription to a namespace topic as Resource Manager shows them: the URL of a
 * webhook without its query, in another field.
 */
export function shownNamespaceSubscription(
  subscription: NamespaceSubscription,
  change: Change | undefined,
): Properties {
  const { properties, settings, provisioningState } = subscription;
  const filters = objectAt(properties, "filtersConfiguration");
  const { deliveryConfiguration, ...others } = properties;
  return {
    ...others,
    deliveryConfiguration: {
      ...objectAt({ deliveryConfiguration }, "deliveryConfiguration"),
      ...(settings.webhook
        ? { push: shownPush(subscription, settings.webhook) }
        : { queue: shownQueue(subscription) }),
    },
    ...(properties.filtersConfiguration !== undefined && {
      filtersConfiguration: { includedEventTypes: null, filters: [], ...filters },
    }),
    provisioningState: change ?? provisioningState,
  };
}

function shownQueue({ properties, settings }: NamespaceSubscription): Properties {
  const { receiveLockDurationInSeconds, maxDeliveryCount } = settings;
  return {
    eventTimeToLive: `P${settings.eventTimeToLiveInMinutes / 1440}D`,
    ...objectAt(properties, "deliveryConfiguration", "queue"),
    receiveLockDurationInSeconds,
    maxDeliveryCount,
  };
}

function shownPush({ properties, settings }: NamespaceSubscription, webhook: Webhook): Properties {
  const push = objectAt(properties, "deliveryConfiguration", "push");
  const { maxDeliveryCount } = settings;
  return {
    eventTimeToLive: `P${settings.eventTimeToLiveInMinutes / 1440}D`,
    deadLetterDestinationWithResourceIdentity: null,
    ...withDestination(push, (destination) => shownWebhook(destination, webhook)),
    maxDeliveryCount,
  };
}

type Webhook = NonNullable<NamespaceSubscription["settings"]["webhook"]>;

function shownWebhook(destination: Properties, webhook: Webhook): Properties {
  const mappings = mappingsOf(destination);
  return {
    ...destination,
    properties: {
      azureActiveDirectoryTenantId: null,
      azureActiveDirectoryApplicationIdOrUri: null,
      minimumTlsVersionAllowed: null,
      ...propertiesIn(destination),
      ...webhook.batching,
      deliveryAttributeMappings: mappings.length === 0 ? null : mappings.map(shownMapping),
      endpointUrl: null,
      endpointBaseUrl: withoutQuery(webhook.endpointUrl),
    },
  };
}
