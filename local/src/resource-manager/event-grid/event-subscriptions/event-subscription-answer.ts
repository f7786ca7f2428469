import { field, isObject, listAt, objectAt } from "../../../base/index.js";
import { type EventSubscription, withoutQuery } from "../../../eventgrid/index.js";

type Properties = EventSubscription["properties"];

/**
 * The properties of an event subscription as Resource Manager shows them: the stored ones without
 * secrets, and unless a PUT goes on with the defaults. The URL has no query, and missing subject
 * filters are empty strings, which the azurerm provider needs to see no change.
 */
export function shownProperties(
  subscription: EventSubscription,
  isChanging = /^(Creating|Updating)$/.test(subscription.provisioningState),
): Properties {
  const { scope, provisioningState, properties, settings } = subscription;
  const { destination, deliveryWithResourceIdentity: identified, expirationTimeUtc } = properties;
  const filter = shownFilter(objectAt(properties, "filter"));
  const hasOwnFilter = isChanging && properties.filter !== undefined;
  return {
    ...properties,
    ...(isObject(destination) && {
      destination: shownDestination(destination, subscription, isChanging),
    }),
    ...(isObject(identified) && {
      deliveryWithResourceIdentity: {
        ...identified,
        destination: shownDestination(
          objectAt(identified, "destination"),
          subscription,
          isChanging,
        ),
      },
    }),
    retryPolicy: settings.retryPolicy,
    expirationTimeUtc: expirationTimeUtc ? inWholeSeconds(String(expirationTimeUtc)) : undefined,
    filter: hasOwnFilter ? filter : { ...UNSET_FILTER, ...filter },
    ...(!isChanging && { eventDeliverySchema: settings.deliverySchema }),
    topic: shownScope(scope),
    provisioningState,
  };
}

/** Event Grid shows the scope in lower case, except for the part that Resource Manager owns. */
function shownScope(scope: string): string {
  const [root = ""] = /^\/subscriptions\/[^/]+(\/resourceGroups\/)?/i.exec(scope) ?? [];
  return root + scope.slice(root.length).toLowerCase();
}

const UNSET_FILTER = { subjectBeginsWith: "", subjectEndsWith: "" };

/** The delivery properties without the values of secret ones. */
export function deliveryAttributes({ properties }: EventSubscription): unknown[] {
  const destination =
    properties.destination ?? field(properties, "deliveryWithResourceIdentity", "destination");
  return listAt(destination, "properties", "deliveryAttributeMappings").map(shownMapping);
}

function inWholeSeconds(time: string): string {
  return new Date(time).toISOString().replace(/[.][0-9]+Z$/, "Z");
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
  const { endpointUrl, deliveryAttributeMappings, ...rest } = objectAt(destination, "properties");
  const { batching, endpointUrl: url, destination: other } = subscription.settings;
  const webhook = url !== undefined && {
    ...(!isChanging && batching),
    ...(other ? {} : { endpointUrl: null, endpointBaseUrl: baseUrlOf(url) }),
  };
  const mappings = listAt({ deliveryAttributeMappings }, "deliveryAttributeMappings");
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

export function shownMapping(mapping: unknown): unknown {
  if (field(mapping, "properties", "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}
