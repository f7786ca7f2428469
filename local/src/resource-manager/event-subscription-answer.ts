import { field, isObject } from "../control-plane/json-fields.js";
import type { DeliveryProperty } from "../eventgrid/delivery/delivery-properties.js";
import type {
  EventSubscription,
  EventSubscriptionSettings,
} from "../eventgrid/subscriptions/index.js";

type Properties = Readonly<Record<string, unknown>>;

/**
 * An event subscription as Resource Manager shows it: what it was told, except secrets. The URL is
 * cut before its query, and the filter's subjects are empty texts where they were left out: a
 * provider takes anything else for a change. Its ID and type depend on where it was asked for.
 */
export function eventSubscriptionAnswer(subscription: EventSubscription) {
  const { name, scope, provisioningState, settings } = subscription;
  const viaResourceManager = Object.keys(settings.attributes).length > 0;
  const told = viaResourceManager ? settings.attributes : fromSettings(settings);
  return {
    name,
    properties: {
      ...withoutEmpty(told),
      ...shownDestinations(told),
      retryPolicy: settings.retryPolicy,
      ...shownExpiration(told),
      filter: { subjectBeginsWith: "", subjectEndsWith: "", ...shownFilter(told) },
      topic: scope,
      provisioningState,
    },
  };
}

/** Absent, not null: a null destination is one of no known type to a provider. */
function withoutEmpty(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== null && value !== ""),
  );
}

/** In UTC and whole seconds, however it was told. */
function shownExpiration({ expirationTimeUtc: told }: Properties): Properties {
  if (typeof told !== "string" || told === "") return {};
  return { expirationTimeUtc: new Date(told).toISOString().replace(/[.][0-9]+Z$/, "Z") };
}

/** An empty list of advanced filters would be a filter block of its own to a provider. */
function shownFilter(told: Properties): Properties {
  const filter = isObject(told.filter) ? withoutEmpty(told.filter) : {};
  const { advancedFilters, ...rest } = filter;
  return Array.isArray(advancedFilters) && advancedFilters.length > 0 ? filter : rest;
}

function shownDestinations(told: Properties): Properties {
  const { destination, deliveryWithResourceIdentity: identified } = told;
  if (isObject(destination)) return { destination: shownDestination(destination) };
  if (!isObject(identified) || !isObject(identified.destination)) return {};
  const shown = shownDestination(identified.destination);
  return { deliveryWithResourceIdentity: { ...identified, destination: shown } };
}

function shownDestination(destination: Properties): Properties {
  const properties = isObject(destination.properties) ? destination.properties : {};
  const { endpointUrl, deliveryAttributeMappings, ...rest } = properties;
  const mappings = Array.isArray(deliveryAttributeMappings) ? deliveryAttributeMappings : [];
  return {
    endpointType: destination.endpointType,
    properties: {
      ...rest,
      endpointBaseUrl: String(endpointUrl).replace(/[?#].*$/s, ""),
      deliveryAttributeMappings: mappings.map(shownMapping),
    },
  };
}

function shownMapping(mapping: unknown): unknown {
  if (field(mapping, "properties", "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}

/** The properties that Resource Manager would have been told for a subscription made from code. */
function fromSettings(settings: EventSubscriptionSettings): Properties {
  const { clientId, tenantId, deadLetter, batching } = settings;
  return {
    destination: {
      endpointType: "WebHook",
      properties: {
        endpointUrl: settings.endpointUrl,
        ...(clientId === undefined
          ? {}
          : {
              azureActiveDirectoryApplicationIdOrUri: clientId,
              azureActiveDirectoryTenantId: tenantId,
            }),
        ...batching,
        deliveryAttributeMappings: settings.deliveryProperties.map(mappingOf),
      },
    },
    eventDeliverySchema: "CloudEventSchemaV1_0",
    filter: settings.filter,
    labels: settings.labels,
    ...(settings.expiresAt === undefined ? {} : { expirationTimeUtc: settings.expiresAt }),
    ...(deadLetter && {
      deadLetterDestination: {
        endpointType: "StorageBlob",
        properties: {
          resourceId: deadLetter.storageAccountId ?? "",
          blobContainerName: deadLetter.container,
        },
      },
    }),
  };
}

function mappingOf(property: DeliveryProperty) {
  const { name } = property;
  if (property.type === "dynamic") {
    return { name, type: "Dynamic", properties: { sourceField: property.sourceField } };
  }
  const { value, secret = false } = property;
  return { name, type: "Static", properties: { value, isSecret: secret } };
}
