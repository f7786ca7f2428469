import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  stringAt,
} from "../cloud/json-client.js";
import { doing, Refusal } from "../cloud/refusal.js";
import { blocks, text } from "../provider/provider.js";
import { type Fields, sameNames } from "../tables/fields.js";
import type { ManagedResource } from "../tables/managed-resource.js";
import { type Attributes, isAttributes, type Value } from "../values/value.js";

/** The attributes and blocks that configure a destination. */
const destinations = [
  "azure_function_endpoint",
  "eventhub_endpoint_id",
  "hybrid_connection_endpoint_id",
  "service_bus_queue_endpoint_id",
  "service_bus_topic_endpoint_id",
  "storage_queue_endpoint",
  "webhook_endpoint",
];

const identity: Fields = sameNames("type", "user_assigned_identity");

/** Where attributes are in an event subscription of the form that {@link fromCloud} returns. */
const fields: Fields = {
  ...sameNames("event_delivery_schema", "expiration_time_utc", "labels"),
  delivery_identity: { path: "deliveryIdentity", fields: identity },
  dead_letter_identity: { path: "deadLetterIdentity", fields: identity },
  delivery_property: {
    path: "deliveryProperties",
    fields: {
      header_name: "name",
      type: "type",
      source_field: "properties.sourceField",
      value: "properties.value",
      secret: "properties.isSecret",
    },
  },
  webhook_endpoint: {
    path: "destination.WebHook",
    fields: {
      url: "endpointUrl",
      base_url: "endpointBaseUrl",
      active_directory_tenant_id: "azureActiveDirectoryTenantId",
      active_directory_app_id_or_uri: "azureActiveDirectoryApplicationIdOrUri",
      ...sameNames("max_events_per_batch", "preferred_batch_size_in_kilobytes"),
    },
  },
  storage_queue_endpoint: {
    path: "destination.StorageQueue",
    fields: { storage_account_id: "resourceId", queue_name: "queueName" },
  },
  eventhub_endpoint_id: "destination.EventHub.resourceId",
  hybrid_connection_endpoint_id: "destination.HybridConnection.resourceId",
  service_bus_queue_endpoint_id: "destination.ServiceBusQueue.resourceId",
  service_bus_topic_endpoint_id: "destination.ServiceBusTopic.resourceId",
  storage_blob_dead_letter_destination: {
    path: "deadLetter",
    fields: { storage_account_id: "resourceId", storage_blob_container_name: "blobContainerName" },
  },
  included_event_types: "filter.includedEventTypes",
  advanced_filtering_on_arrays_enabled: "filter.enableAdvancedFilteringOnArrays",
  subject_filter: {
    path: "subject",
    fields: {
      ...sameNames("subject_begins_with", "subject_ends_with"),
      case_sensitive: "isSubjectCaseSensitive",
    },
  },
  advanced_filter: {
    path: "filter.advancedFilters",
    read: fromAdvancedFilters,
    write: toAdvancedFilters,
  },
  retry_policy: {
    path: "retryPolicy",
    fields: {
      max_delivery_attempts: "maxDeliveryAttempts",
      event_time_to_live: "eventTimeToLiveInMinutes",
    },
  },
};

/**
 * An event subscription: an update sends everything again, which starts a new handshake.
 *
 * As in the real provider, the ID enters the state only after the operation has succeeded: a create
 * whose handshake fails leaves a subscription in the cloud that is missing from the state, and the
 * next apply fails because it already exists.
 */
function eventSubscription(
  place: Pick<ManagedResource, "id" | "named">,
  attributes: readonly string[],
): ManagedResource {
  const apiVersion = "2025-02-15";
  return {
    ...place,
    apiVersion,
    fields,
    forceNew: ["name", ...attributes, "event_delivery_schema"],
    filledIn: ["retry_policy"],
    defaults: {
      event_delivery_schema: "EventGridSchema",
      advanced_filtering_on_arrays_enabled: false,
    },
    write: toCloud,
    read: fromCloud,
    async learn(id, learnt, account, state) {
      const [webhook] = blocks(learnt, "webhook_endpoint");
      const url = await doing(`retrieving full url for ${id}`, async () => {
        try {
          const path = `${id}/getFullUrl?api-version=${apiVersion}`;
          const { body } = await account.resourceManager.call("POST", path);
          return stringAt(body, "endpointUrl");
        } catch (error) {
          // Only a webhook has a URL; for any other destination the service answers 400.
          if (error instanceof Refusal && error.status === 400) return "";
          throw error;
        }
      });
      return {
        ...(webhook !== undefined && { webhook_endpoint: [{ ...webhook, url }] }),
        delivery_property: withSecrets(blocks(learnt, "delivery_property"), state),
      };
    },
    deletable(id) {
      // If the scope ends with a slash, the real provider polls for thirty minutes and then fails.
      if (id.includes("//")) throw new Error("polling after Delete: context deadline exceeded");
    },
  };
}

/** At a scope: a subscription, a resource group, a resource or a topic. */
export const scopedSubscription = eventSubscription(
  {
    id: "{scope}/providers/Microsoft.EventGrid/eventSubscriptions/{name}",
    named: 'Scoped Event Subscription (Scope: "{scope}"\nEvent Subscription Name: "{name}")',
  },
  ["scope"],
);

/** On a system topic. */
export const systemTopicSubscription = eventSubscription(
  {
    id: "/subscriptions/{subscription}/resourceGroups/{resource_group_name}/providers/Microsoft.EventGrid/systemTopics/{system_topic}/eventSubscriptions/{name}",
    named:
      'Event Subscription (Resource Group Name: "{resource_group_name}"\nSystem Topic Name: "{system_topic}"\nEvent Subscription Name: "{name}")',
  },
  ["resource_group_name", "system_topic"],
);

/**
 * Resource Manager's event subscription, with its destination's properties by type, and at the same
 * place whether or not an identity delivers or dead-letters.
 */
function fromCloud(body: Json): Json {
  const properties = at(body, "properties");
  const delivery = at(properties, "deliveryWithResourceIdentity");
  const deadLettering = at(properties, "deadLetterWithResourceIdentity");
  const destination = at(delivery ?? properties, "destination");
  const filter = at(properties, "filter");
  const hasSubject = ["subjectBeginsWith", "subjectEndsWith"].some(
    (name) => stringAt(filter, name) !== "",
  );
  return {
    ...(isObject(properties) && properties),
    destination: { [stringAt(destination, "endpointType")]: at(destination, "properties") },
    deliveryProperties: listAt(destination, "properties", "deliveryAttributeMappings"),
    deliveryIdentity: at(delivery, "identity"),
    deadLetterIdentity: at(deadLettering, "identity"),
    deadLetter: at(deadLettering ?? properties, "deadLetterDestination", "properties"),
    ...(hasSubject && { subject: filter }),
  };
}

/** The opposite of {@link fromCloud}. */
function toCloud({
  destination: byType = {},
  deliveryProperties = [],
  deliveryIdentity,
  deadLetterIdentity,
  deadLetter,
  filter,
  subject,
  ...properties
}: JsonObject): JsonObject {
  const [[endpointType, own] = []] = isObject(byType) ? Object.entries(byType) : [];
  const mappings = listOf(deliveryProperties).map(deliveryProperty);
  if (endpointType === undefined) {
    throw new Error(
      `one of the following endpoint types must be specificed to create an EventGrid Event Subscription: [${destinations.map((name) => `"${name}"`).join(" ")}]`,
    );
  }
  const destination = {
    endpointType,
    properties: {
      ...(isObject(own) && own),
      ...(endpointType !== "StorageQueue" && { deliveryAttributeMappings: mappings }),
    },
  };
  const deadLetterDestination: Json =
    deadLetter === undefined ? null : { endpointType: "StorageBlob", properties: deadLetter };
  return {
    properties: {
      ...properties,
      filter: { ...(isObject(filter) && filter), ...(isObject(subject) && subject) },
      ...(deliveryIdentity === undefined
        ? { destination }
        : { deliveryWithResourceIdentity: { identity: deliveryIdentity, destination } }),
      ...(deadLetterIdentity === undefined
        ? { deadLetterDestination }
        : {
            deadLetterWithResourceIdentity: {
              identity: deadLetterIdentity,
              deadLetterDestination,
            },
          }),
    },
  };
}

function listOf(json: Json | undefined): Json[] {
  return Array.isArray(json) ? json : [];
}

/** Only a static header may be secret. */
function deliveryProperty(mapping: Json): Json {
  if (!isObject(mapping) || mapping.type !== "Dynamic") return mapping;
  return { ...mapping, properties: { sourceField: at(mapping, "properties", "sourceField") } };
}

/** Azure never returns the values of secret headers, so that they are taken from the state. */
function withSecrets(properties: readonly Attributes[], state: Attributes): Attributes[] {
  const known = blocks(state, "delivery_property");
  return properties.map((property) => {
    const before = known.find(({ header_name }) => header_name === property.header_name);
    const isSecret = property.secret === true && before !== undefined;
    return isSecret ? { ...property, value: text(before, "value") } : property;
  });
}

/** The blocks of `advanced_filter` as Resource Manager's list, in the order of their operators. */
function toAdvancedFilters(value: Value): Json | undefined {
  const [block] = Array.isArray(value) ? value.filter(isAttributes) : [];
  if (block === undefined) return undefined;
  return Object.keys(block)
    .sort()
    .flatMap((operator) =>
      blocks(block, operator).map((filter) => ({
        operatorType: pascalCase(operator),
        key: text(filter, "key"),
        ...(filter.value !== undefined && { value: filter.value as Json }),
        ...(filter.values !== undefined && { values: filter.values as Json }),
      })),
    );
}

/** Resource Manager's list of filters as the block `advanced_filter`; none when it is empty. */
function fromAdvancedFilters(json: Json | undefined): Attributes[] {
  const filters = listOf(json).filter(isObject);
  if (filters.length === 0) return [];
  const block: Record<string, Value[]> = {};
  for (const filter of filters) {
    const operator = snakeCase(stringAt(filter, "operatorType"));
    block[operator] = [
      ...(block[operator] ?? []),
      {
        key: stringAt(filter, "key"),
        ...(filter.value !== undefined && { value: filter.value as Value }),
        ...(filter.values !== undefined && { values: filter.values as Value }),
      },
    ];
  }
  return [block];
}

function pascalCase(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
