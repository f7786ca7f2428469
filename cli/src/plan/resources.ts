import {
  azurermFilter,
  blocksOf,
  isObject,
  UNKNOWN,
} from "cloud-eventgrid-binding-runtime/contract";
import type { Attributes, PlannedChange } from "./read-plan.js";

/** An event subscription before or after the apply, as Resource Manager has it. */
export interface Subscription {
  readonly name: string;
  /** Resource ID in lower case; {@link UNKNOWN} for that of a new resource. */
  readonly scope: unknown;
  /** What Event Grid calls `properties`. */
  readonly properties: Attributes;
  readonly filter: Attributes;
  readonly destination: Destination;
  /** Whether consumers pull from it, or it is in a namespace. */
  readonly isNamespace: boolean;
}

export interface Destination {
  /** `WebHook`, `StorageQueue`, `Queue` of a namespace, and so on. */
  readonly type: string;
  /** URL, or resource ID with the name of the queue. */
  readonly place: unknown;
  readonly audience: unknown;
  /** The other settings: of tokens, of messages. */
  readonly further: unknown;
}

/** What a resource of a plan is to the routing of events. */
export type Kind = "subscription" | "source" | "role" | "opaque" | undefined;

export function kindOf({ type, before, after }: PlannedChange): Kind {
  if (/^azurerm_eventgrid_(system_topic_)?event_subscription$/.test(type)) return "subscription";
  if (
    /^azurerm_eventgrid_(topic|domain|domain_topic|system_topic|namespace|namespace_topic)$/.test(
      type,
    )
  ) {
    return "source";
  }
  if (/^(azurerm_role_assignment|azuread_app_role_assignment)$/.test(type)) return "role";
  const [, kind = ""] =
    /^Microsoft\.EventGrid\/([^@]+)/i.exec(String((after ?? before)?.type)) ?? [];
  if (!/^azapi_/.test(type) || kind === "")
    return /^azurerm_eventgrid_/.test(type) ? "opaque" : undefined;
  if (type !== "azapi_resource") return "opaque";
  if (/(^|\/)eventSubscriptions$/i.test(kind)) return "subscription";
  return /^(topics|domains|domains\/topics|systemTopics|namespaces|namespaces\/topics)$/i.test(kind)
    ? "source"
    : "opaque";
}

/** A value inside attributes; {@link UNKNOWN} if something around it is. */
export function get(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) {
    if (inner === UNKNOWN) return UNKNOWN;
    inner = isObject(inner) ? inner[name] : undefined;
  }
  return inner;
}

/** A resource ID as Azure compares it. */
export function idOf(value: unknown): unknown {
  return typeof value === "string" ? `/${value.replace(/^\/+|\/+$/g, "").toLowerCase()}` : value;
}

/** One side of a change of an event subscription. */
export function subscriptionOf(change: PlannedChange, attributes: Attributes): Subscription {
  const isAzapi = change.type === "azapi_resource";
  const properties = isAzapi ? bodyOf(attributes.body) : azurermProperties(change, attributes);
  const configuration = get(properties, "deliveryConfiguration");
  const isNamespace = configuration !== undefined;
  const filters = get(properties, "filtersConfiguration");
  const filter = isNamespace
    ? {
        includedEventTypes: get(filters, "includedEventTypes"),
        advancedFilters: get(filters, "filters"),
      }
    : (get(properties, "filter") ?? {});
  return {
    name: textOf(attributes.name, change.address),
    scope: idOf(isAzapi ? attributes.parent_id : azurermScope(attributes)),
    properties,
    filter: isObject(filter) ? filter : { includedEventTypes: UNKNOWN },
    destination: destinationOf(properties, configuration),
    isNamespace,
  };
}

function bodyOf(body: unknown): Attributes {
  const properties = get(parsedBody(body), "properties");
  return isObject(properties) ? properties : { filter: UNKNOWN, destination: UNKNOWN };
}

/** Until version 2, azapi's body was JSON in a string. */
function parsedBody(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return UNKNOWN;
  }
}

/** What azurerm has as attributes, and azapi in its body. */
export function setting(
  attributes: Attributes | undefined,
  azurerm: string,
  azapi: string,
): unknown {
  return attributes?.[azurerm] ?? get(parsedBody(attributes?.body), "properties", azapi);
}

function azurermScope(attributes: Attributes): unknown {
  const { scope, system_topic: topic, resource_group_name: group, id } = attributes;
  if (topic === undefined) return scope;
  if (topic === UNKNOWN || group === UNKNOWN) return UNKNOWN;
  const [, subscription = "?"] = /^\/subscriptions\/([^/]+)/i.exec(String(id)) ?? [];
  return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.EventGrid/systemTopics/${topic}`;
}

/** The destinations of azurerm that are an ID, by the beginning of the attribute's name. */
const ID_DESTINATIONS = {
  eventhub: "EventHub",
  hybrid_connection: "HybridConnection",
  service_bus_queue: "ServiceBusQueue",
  service_bus_topic: "ServiceBusTopic",
};

function azurermProperties(change: PlannedChange, attributes: Attributes): Attributes {
  const first = (name: string): Attributes | typeof UNKNOWN | undefined =>
    blocksOf(attributes[name])[0];
  const of = (name: string, field: string) => get(first(name), field);
  const webhook = first("webhook_endpoint");
  const ids = Object.entries(ID_DESTINATIONS).flatMap(([name, endpointType]) =>
    [`${name}_endpoint_id`, `${name}_id`].flatMap((attribute) => {
      const resourceId = attributes[attribute];
      const isSet = resourceId === UNKNOWN ? isConfigured(change, attribute) : Boolean(resourceId);
      return isSet ? [{ endpointType, properties: { resourceId } }] : [];
    }),
  );
  const named = [
    webhook && {
      endpointType: "WebHook",
      properties: {
        endpointUrl: get(webhook, "url"),
        azureActiveDirectoryApplicationIdOrUri: get(webhook, "active_directory_app_id_or_uri"),
        azureActiveDirectoryTenantId: get(webhook, "active_directory_tenant_id"),
        maxEventsPerBatch: get(webhook, "max_events_per_batch"),
      },
    },
    first("azure_function_endpoint") && {
      endpointType: "AzureFunction",
      properties: {
        resourceId: of("azure_function_endpoint", "function_id"),
        maxEventsPerBatch: of("azure_function_endpoint", "max_events_per_batch"),
      },
    },
    first("storage_queue_endpoint") && {
      endpointType: "StorageQueue",
      properties: {
        resourceId: of("storage_queue_endpoint", "storage_account_id"),
        queueName: of("storage_queue_endpoint", "queue_name"),
        queueMessageTimeToLiveInSeconds: of(
          "storage_queue_endpoint",
          "queue_message_time_to_live_in_seconds",
        ),
      },
    },
  ].filter((each) => each !== undefined);
  const [destination] = [...named, ...ids];
  const identity = first("delivery_identity");
  const deadLetter = first("storage_blob_dead_letter_destination");
  const filter = azurermFilter(attributes);
  const isDefault =
    filter.includedEventTypes === UNKNOWN && !isConfigured(change, "included_event_types");
  return {
    destination,
    deliveryIdentity: identity && {
      type: get(identity, "type"),
      of: get(identity, "user_assigned_identity"),
    },
    deadLetterDestination: deadLetter && {
      properties: {
        resourceId: get(deadLetter, "storage_account_id"),
        blobContainerName: get(deadLetter, "storage_blob_container_name"),
      },
    },
    deadLetterIdentity: first("dead_letter_identity"),
    retryPolicy: {
      maxDeliveryAttempts: of("retry_policy", "max_delivery_attempts"),
      eventTimeToLiveInMinutes: of("retry_policy", "event_time_to_live"),
    },
    eventDeliverySchema: attributes.event_delivery_schema,
    expirationTimeUtc: attributes.expiration_time_utc,
    deliveryProperties: attributes.delivery_property,
    // Custom topics deliver every type if none is named. Other sources choose some.
    filter: {
      ...filter,
      ...(isDefault && isCustom(attributes.scope, change) && { includedEventTypes: [] }),
    },
  };
}

/** Whether the configuration sets an attribute; true if the plan does not show it. */
function isConfigured(change: PlannedChange, attribute: string): boolean {
  const expression = change.expression(attribute);
  return expression === undefined || expression.references.length > 0;
}

function isCustom(scope: unknown, change: PlannedChange): boolean {
  const [reference = ""] = change.expression("scope")?.references ?? [];
  const id = typeof scope === "string" ? scope : "";
  return (
    /\/Microsoft\.EventGrid\/(topics|domains)\//i.test(id) ||
    /^azurerm_eventgrid_(topic|domain|domain_topic)\./.test(reference)
  );
}

function destinationOf(properties: Attributes, configuration: unknown): Destination {
  const given =
    configuration === undefined
      ? (properties.destination ?? get(properties, "deliveryWithResourceIdentity", "destination"))
      : get(configuration, "push", "destination");
  const mode = get(configuration, "deliveryMode");
  const type = given === undefined && mode !== undefined ? mode : get(given, "endpointType");
  const place = get(given, "properties", "endpointUrl") ?? get(given, "properties", "resourceId");
  const queue = get(given, "properties", "queueName");
  return {
    type: textOf(type, "unknown"),
    place:
      typeof place === "string" && typeof queue === "string"
        ? `${place}/queueServices/default/queues/${queue}`
        : place,
    audience: get(given, "properties", "azureActiveDirectoryApplicationIdOrUri"),
    further: withoutHandled(get(given, "properties")),
  };
}

/** The settings of a destination that no finding is about. */
function withoutHandled(properties: unknown): unknown {
  if (!isObject(properties)) return properties;
  const handled =
    /^(endpointUrl|endpointBaseUrl|resourceId|queueName|azureActiveDirectoryApplicationIdOrUri|maxEventsPerBatch|preferredBatchSizeInKilobytes|deliveryAttributeMappings)$/;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !handled.test(name)));
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
