import { field, isObject, listAt } from "../../base/index.js";
import {
  type DeliveryProperty,
  type EventSubscription,
  type EventSubscriptionSettings,
  withoutQuery,
} from "../../eventgrid/index.js";

type Properties = Readonly<Record<string, unknown>>;

/**
 * An event subscription as Resource Manager shows it: the written properties without secrets. The URL
 * has no query, and missing subject filters are empty strings, which the azurerm provider needs to
 * see no change. ID and type depend on the path of the request.
 */
export function eventSubscriptionAnswer(subscription: EventSubscription) {
  const { name, scope, provisioningState, settings } = subscription;
  const written = writtenProperties(subscription);
  return {
    name,
    properties: {
      ...withoutEmpty(written),
      ...shownDestinations(written, settings),
      retryPolicy: settings.retryPolicy,
      ...shownExpiration(written),
      filter: { ...UNSET_FILTER, ...shownFilter(written) },
      eventDeliverySchema: settings.deliverySchema,
      topic: scope,
      provisioningState,
    },
  };
}

const UNSET_FILTER = { subjectBeginsWith: "", subjectEndsWith: "", isSubjectCaseSensitive: false };

/** The properties as they were written, or those of a subscription that code created. */
export function writtenProperties({ settings }: EventSubscription): Properties {
  const viaResourceManager = Object.keys(settings.attributes).length > 0;
  return viaResourceManager ? settings.attributes : fromSettings(settings);
}

/** The delivery properties without the values of secret ones. */
export function deliveryAttributes(subscription: EventSubscription): unknown[] {
  const written = writtenProperties(subscription);
  const destination =
    written.destination ?? field(written, "deliveryWithResourceIdentity", "destination");
  return listAt(destination, "properties", "deliveryAttributeMappings").map(shownMapping);
}

/** Leaves fields out instead of null: providers take null for a destination of unknown type. */
function withoutEmpty(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== null && value !== ""),
  );
}

/** In UTC and whole seconds. */
function shownExpiration({ expirationTimeUtc: written }: Properties): Properties {
  if (typeof written !== "string" || written === "") return {};
  return { expirationTimeUtc: new Date(written).toISOString().replace(/[.][0-9]+Z$/, "Z") };
}

/** Leaves out an empty list of advanced filters, which providers take for a filter block. */
function shownFilter(written: Properties): Properties {
  const filter = isObject(written.filter) ? withoutEmpty(written.filter) : {};
  const { advancedFilters, ...rest } = filter;
  return Array.isArray(advancedFilters) && advancedFilters.length > 0 ? filter : rest;
}

function shownDestinations(written: Properties, settings: EventSubscriptionSettings): Properties {
  const { destination, deliveryWithResourceIdentity: identified } = written;
  if (isObject(destination)) return { destination: shownDestination(destination, settings) };
  if (!isObject(identified) || !isObject(identified.destination)) return {};
  const shown = shownDestination(identified.destination, settings);
  return { deliveryWithResourceIdentity: { ...identified, destination: shown } };
}

/** A webhook has its batch settings even if none were written. */
function shownDestination(destination: Properties, settings: EventSubscriptionSettings) {
  const properties = isObject(destination.properties) ? destination.properties : {};
  const { endpointUrl, deliveryAttributeMappings, ...rest } = properties;
  const mappings = Array.isArray(deliveryAttributeMappings) ? deliveryAttributeMappings : [];
  const isQueue = /^StorageQueue$/i.test(String(destination.endpointType));
  const webhook = settings.endpointUrl !== undefined && {
    ...settings.batching,
    endpointBaseUrl: withoutQuery(settings.endpointUrl),
  };
  return {
    endpointType: destination.endpointType,
    properties: {
      ...rest,
      ...webhook,
      ...(isQueue ? {} : { deliveryAttributeMappings: mappings.map(shownMapping) }),
    },
  };
}

function shownMapping(mapping: unknown): unknown {
  if (field(mapping, "properties", "isSecret") !== true || !isObject(mapping)) return mapping;
  return { ...mapping, properties: { isSecret: true, value: "Hidden" } };
}

/** The properties of a subscription that was created from code. */
function fromSettings(settings: EventSubscriptionSettings): Properties {
  const { deadLetter } = settings;
  return {
    destination: destinationFrom(settings),
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

function destinationFrom(settings: EventSubscriptionSettings): Properties {
  const { destination, clientId, tenantId, deliveryProperties } = settings;
  const deliveryAttributeMappings = deliveryProperties.map(mappingOf);
  if (!destination) {
    const application = {
      azureActiveDirectoryApplicationIdOrUri: clientId,
      azureActiveDirectoryTenantId: tenantId,
    };
    return {
      endpointType: "WebHook",
      properties: {
        endpointUrl: settings.endpointUrl,
        ...(clientId === undefined ? {} : application),
        ...settings.batching,
        deliveryAttributeMappings,
      },
    };
  }
  if (destination.type !== "StorageQueue") {
    const { type, resourceId } = destination;
    return { endpointType: type, properties: { resourceId, deliveryAttributeMappings } };
  }
  return {
    endpointType: destination.type,
    properties: {
      resourceId: destination.storageAccountId ?? "",
      queueName: destination.queue,
      queueMessageTimeToLiveInSeconds: destination.messageTimeToLiveInSeconds,
    },
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
