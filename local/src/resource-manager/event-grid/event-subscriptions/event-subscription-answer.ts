import { field, isObject, listAt, objectAt } from "../../../base/index.js";
import {
  type EventSubscription,
  takesDeliveryProperties,
  withoutQuery,
} from "../../../eventgrid/index.js";

type Properties = EventSubscription["properties"];

/**
 * The properties of an event subscription as Resource Manager shows them: the stored ones with their
 * defaults and without secrets. The URL has no query, and missing subject filters are empty strings,
 * which the azurerm provider needs to see no change.
 */
export function shownProperties(subscription: EventSubscription): Properties {
  const { scope, provisioningState, properties, settings } = subscription;
  const { destination, deliveryWithResourceIdentity: identified, expirationTimeUtc } = properties;
  return {
    ...properties,
    ...(isObject(destination) && { destination: shownDestination(destination, subscription) }),
    ...(isObject(identified) && {
      deliveryWithResourceIdentity: {
        ...identified,
        destination: shownDestination(objectAt(identified, "destination"), subscription),
      },
    }),
    retryPolicy: settings.retryPolicy,
    expirationTimeUtc: expirationTimeUtc ? inWholeSeconds(String(expirationTimeUtc)) : undefined,
    filter: { ...UNSET_FILTER, ...shownFilter(objectAt(properties, "filter")) },
    eventDeliverySchema: settings.deliverySchema,
    topic: scope,
    provisioningState,
  };
}

const UNSET_FILTER = { subjectBeginsWith: "", subjectEndsWith: "", isSubjectCaseSensitive: false };

/** The delivery properties without the values of secret ones. */
export function deliveryAttributes({ properties }: EventSubscription): unknown[] {
  const destination =
    properties.destination ?? field(properties, "deliveryWithResourceIdentity", "destination");
  return listAt(destination, "properties", "deliveryAttributeMappings").map(shownMapping);
}

function inWholeSeconds(time: string): string {
  return new Date(time).toISOString().replace(/[.][0-9]+Z$/, "Z");
}

/** Leaves out an empty list of advanced filters, which providers take for a filter block. */
function shownFilter({ advancedFilters, ...filter }: Properties): Properties {
  const isEmpty = !Array.isArray(advancedFilters) || advancedFilters.length === 0;
  return isEmpty ? filter : { ...filter, advancedFilters };
}

/** Webhooks and functions have their batch settings even if none were written. */
function shownDestination(destination: Properties, { settings }: EventSubscription) {
  const { endpointUrl, deliveryAttributeMappings, ...rest } = objectAt(destination, "properties");
  const { batching, endpointUrl: url, destination: other } = settings;
  const webhook = url !== undefined && {
    ...batching,
    ...(other ? {} : { endpointUrl: null, endpointBaseUrl: withoutQuery(url) }),
  };
  const hasMappings = !settings.destination || takesDeliveryProperties(settings.destination);
  const mappings = Array.isArray(deliveryAttributeMappings) ? deliveryAttributeMappings : [];
  return {
    ...destination,
    properties: {
      ...rest,
      ...webhook,
      ...(hasMappings ? { deliveryAttributeMappings: mappings.map(shownMapping) } : {}),
    },
  };
}

export function shownMapping(mapping: unknown): unknown {
  if (field(mapping, "properties", "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}
