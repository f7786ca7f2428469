import { field, invalidRequest, isObject, listAt, numberAt, textAt } from "../../base/index.js";
import {
  type AdvancedFilter,
  type DeliveryProperty,
  type DeliverySchema,
  type EventFilter,
  isAdvancedFilter,
  type NewEventSubscription,
  systemEventFamilies,
} from "../../eventgrid/index.js";

/**
 * Reads the body of a PUT. Its properties are stored too, so that a GET returns what was written.
 *
 * @throws ServiceError 400 for anything that the local Event Grid does not support
 */
export function eventSubscriptionIn(
  body: unknown,
  scope: string,
  name: string,
  isTopic: boolean,
): NewEventSubscription {
  const written = field(body, "properties");
  const properties = isTopic ? written : withDefaultTypes(written, scope);
  const destination = destinationIn(properties);
  return {
    name,
    scope,
    ...endpointIn(destination),
    deliverySchema: deliverySchemaIn(properties, isTopic),
    filter: filterIn(properties),
    retryPolicy: {
      maxDeliveryAttempts: numberAt(properties, "retryPolicy", "maxDeliveryAttempts"),
      eventTimeToLiveInMinutes: numberAt(properties, "retryPolicy", "eventTimeToLiveInMinutes"),
    },
    deadLetter: deadLetterIn(properties),
    deliveryProperties: listAt(destination, "properties", "deliveryAttributeMappings").map(
      deliveryPropertyIn,
    ),
    expiresAt: textAt(properties, "expirationTimeUtc") || undefined,
    labels: listAt(properties, "labels").map(String),
    attributes: isObject(properties) ? properties : {},
  };
}

/** A topic's own schema is the default; events of Azure services have the Event Grid schema. */
function deliverySchemaIn(properties: unknown, isTopic: boolean): DeliverySchema | undefined {
  const schema = textAt(properties, "eventDeliverySchema");
  if (schema === undefined) return isTopic ? undefined : "EventGridSchema";
  const known = DELIVERY_SCHEMAS.find((each) => each.toLowerCase() === schema.toLowerCase());
  if (known) return known;
  throw invalidRequest(
    `The event delivery schema '${schema}' is invalid. It must be ${DELIVERY_SCHEMAS.join(", ")}.`,
  );
}

const DELIVERY_SCHEMAS: readonly DeliverySchema[] = [
  "CloudEventSchemaV1_0",
  "EventGridSchema",
  "CustomInputSchema",
];

function destinationIn(properties: unknown): unknown {
  return (
    field(properties, "destination") ??
    field(properties, "deliveryWithResourceIdentity", "destination")
  );
}

type Endpoint = Pick<
  NewEventSubscription,
  "endpointUrl" | "clientId" | "tenantId" | "batching" | "destination"
>;

function endpointIn(written: unknown): Endpoint {
  const given = textAt(written, "endpointType");
  const type = DESTINATIONS.find((each) => each.toLowerCase() === given?.toLowerCase());
  const properties = field(written, "properties");
  switch (type) {
    case undefined:
      throw invalidRequest(
        given === undefined
          ? "The event subscription has no destination."
          : `The destination type '${given}' is not supported by the local Event Grid. Use ${DESTINATIONS.join(", ")}.`,
      );
    case "WebHook":
      return {
        endpointUrl: textAt(properties, "endpointUrl") ?? "",
        clientId: textAt(properties, "azureActiveDirectoryApplicationIdOrUri") || undefined,
        tenantId: textAt(properties, "azureActiveDirectoryTenantId") || undefined,
        batching: {
          maxEventsPerBatch: numberAt(properties, "maxEventsPerBatch"),
          preferredBatchSizeInKilobytes: numberAt(properties, "preferredBatchSizeInKilobytes"),
        },
      };
    case "StorageQueue":
      return {
        destination: {
          type,
          queue: textAt(properties, "queueName") ?? "",
          storageAccountId: textAt(properties, "resourceId") ?? "",
          messageTimeToLiveInSeconds: numberAt(properties, "queueMessageTimeToLiveInSeconds"),
        },
      };
    default:
      return { destination: { type, resourceId: textAt(properties, "resourceId") ?? "" } };
  }
}

const DESTINATIONS = [
  "WebHook",
  "StorageQueue",
  "ServiceBusQueue",
  "ServiceBusTopic",
  "EventHub",
] as const;

/** For a resource of Azure, the service fills in its default types when none are named. */
function withDefaultTypes(properties: unknown, scope: string): unknown {
  const filter = field(properties, "filter");
  if (listAt(filter, "includedEventTypes").length > 0) return properties;
  const includedEventTypes = defaultTypesOf(scope);
  if (includedEventTypes === undefined || !isObject(properties)) return properties;
  return { ...properties, filter: { ...(isObject(filter) && filter), includedEventTypes } };
}

function defaultTypesOf(scope: string): readonly string[] | undefined {
  const id = scope.toLowerCase();
  if (!id.includes("/providers/")) return RESOURCE_MANAGER_TYPES;
  return systemEventFamilies.find(({ resourceType }) =>
    id.includes(`/providers/${resourceType.toLowerCase()}/`),
  )?.types;
}

const RESOURCE_MANAGER_TYPES = ["Write", "Delete", "Action"].flatMap((operation) =>
  ["Success", "Failure", "Cancel"].map(
    (outcome) => `Microsoft.Resources.Resource${operation}${outcome}`,
  ),
);

function filterIn(properties: unknown): EventFilter {
  const filter = field(properties, "filter");
  const types = field(filter, "includedEventTypes");
  return {
    includedEventTypes: Array.isArray(types) ? types.map(String) : undefined,
    subjectBeginsWith: textAt(filter, "subjectBeginsWith"),
    subjectEndsWith: textAt(filter, "subjectEndsWith"),
    isSubjectCaseSensitive: field(filter, "isSubjectCaseSensitive") === true,
    advancedFilters: listAt(filter, "advancedFilters").map(advancedFilterIn),
    enableAdvancedFilteringOnArrays: field(filter, "enableAdvancedFilteringOnArrays") === true,
  };
}

function advancedFilterIn(filter: unknown): AdvancedFilter {
  if (isAdvancedFilter(filter)) return filter;
  throw invalidRequest("Each advanced filter must be an object with a key and an operatorType.");
}

function deadLetterIn(properties: unknown): NewEventSubscription["deadLetter"] {
  const destination =
    field(properties, "deadLetterDestination") ??
    field(properties, "deadLetterWithResourceIdentity", "deadLetterDestination");
  const container = textAt(destination, "properties", "blobContainerName");
  if (container === undefined) return undefined;
  return {
    container,
    storageAccountId: textAt(destination, "properties", "resourceId") || undefined,
  };
}

function deliveryPropertyIn(mapping: unknown): DeliveryProperty {
  const name = textAt(mapping, "name") ?? "";
  if (textAt(mapping, "type") === "Dynamic") {
    const sourceField = textAt(mapping, "properties", "sourceField") ?? "";
    return { type: "dynamic", name, sourceField };
  }
  return {
    type: "static",
    name,
    value: textAt(mapping, "properties", "value") ?? "",
    secret: field(mapping, "properties", "isSecret") === true,
  };
}
