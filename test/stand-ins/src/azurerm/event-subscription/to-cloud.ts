import type { Json, JsonObject } from "../../cloud/json-client.js";
import { blocks, onlyBlock, text, texts } from "../../provider/provider.js";
import type { Attributes } from "../../values/value.js";
import { toAdvancedFilters } from "./advanced-filter.js";

/** The attributes and blocks that configure a destination. */
export const destinationAttributes = [
  "azure_function_endpoint",
  "eventhub_endpoint_id",
  "hybrid_connection_endpoint_id",
  "service_bus_queue_endpoint_id",
  "service_bus_topic_endpoint_id",
  "storage_queue_endpoint",
  "webhook_endpoint",
] as const;

/** The whole body of a PUT: an update sends everything again, which starts a new handshake. */
export function toCloud(planned: Attributes): Json {
  const destination = destinationOf(planned);
  const deadLetter = deadLetterOf(planned);
  const deliveryIdentity = identityOf(planned, "delivery_identity");
  const deadLetterIdentity = identityOf(planned, "dead_letter_identity");
  return {
    properties: {
      ...(deliveryIdentity === undefined
        ? { destination }
        : { deliveryWithResourceIdentity: { identity: deliveryIdentity, destination } }),
      ...(deadLetterIdentity === undefined
        ? { deadLetterDestination: deadLetter }
        : {
            deadLetterWithResourceIdentity: {
              identity: deadLetterIdentity,
              deadLetterDestination: deadLetter,
            },
          }),
      eventDeliverySchema: text(planned, "event_delivery_schema"),
      expirationTimeUtc: text(planned, "expiration_time_utc"),
      filter: filterOf(planned),
      labels: texts(planned, "labels"),
      retryPolicy: retryPolicyOf(planned),
    },
  };
}

function destinationOf(planned: Attributes): Json {
  const properties = {
    deliveryAttributeMappings: blocks(planned, "delivery_property").map(mapping),
  };
  const webhook = onlyBlock(planned, "webhook_endpoint");
  if (webhook !== undefined) {
    return {
      endpointType: "WebHook",
      properties: {
        ...properties,
        endpointUrl: text(webhook, "url"),
        azureActiveDirectoryTenantId: text(webhook, "active_directory_tenant_id") || undefined,
        azureActiveDirectoryApplicationIdOrUri:
          text(webhook, "active_directory_app_id_or_uri") || undefined,
        maxEventsPerBatch: numberIn(webhook, "max_events_per_batch"),
        preferredBatchSizeInKilobytes: numberIn(webhook, "preferred_batch_size_in_kilobytes"),
      },
    };
  }
  const byId = {
    EventHub: text(planned, "eventhub_endpoint_id"),
    HybridConnection: text(planned, "hybrid_connection_endpoint_id"),
    ServiceBusQueue: text(planned, "service_bus_queue_endpoint_id"),
    ServiceBusTopic: text(planned, "service_bus_topic_endpoint_id"),
  };
  for (const [endpointType, resourceId] of Object.entries(byId)) {
    if (resourceId !== "") return { endpointType, properties: { ...properties, resourceId } };
  }
  const queue = onlyBlock(planned, "storage_queue_endpoint");
  if (queue !== undefined) {
    return {
      endpointType: "StorageQueue",
      properties: {
        resourceId: text(queue, "storage_account_id"),
        queueName: text(queue, "queue_name"),
      },
    };
  }
  throw new Error(
    `one of the following endpoint types must be specificed to create an EventGrid Event Subscription: [${destinationAttributes.map((name) => `"${name}"`).join(" ")}]`,
  );
}

function mapping(property: Attributes): JsonObject {
  const name = text(property, "header_name");
  if (text(property, "type") === "Dynamic") {
    return { name, type: "Dynamic", properties: { sourceField: text(property, "source_field") } };
  }
  return {
    name,
    type: "Static",
    properties: { value: text(property, "value"), isSecret: property.secret === true },
  };
}

function filterOf(planned: Attributes): Json {
  const subject = onlyBlock(planned, "subject_filter");
  const types = texts(planned, "included_event_types");
  const advanced = onlyBlock(planned, "advanced_filter");
  return {
    ...(subject !== undefined && {
      subjectBeginsWith: text(subject, "subject_begins_with"),
      subjectEndsWith: text(subject, "subject_ends_with"),
      isSubjectCaseSensitive: subject.case_sensitive === true,
    }),
    ...(types.length > 0 && { includedEventTypes: types }),
    ...(advanced !== undefined && { advancedFilters: toAdvancedFilters(advanced) }),
    ...(planned.advanced_filtering_on_arrays_enabled === true && {
      enableAdvancedFilteringOnArrays: true,
    }),
  };
}

function retryPolicyOf(planned: Attributes): JsonObject | undefined {
  const policy = onlyBlock(planned, "retry_policy");
  if (policy === undefined) return undefined;
  return {
    maxDeliveryAttempts: numberIn(policy, "max_delivery_attempts"),
    eventTimeToLiveInMinutes: numberIn(policy, "event_time_to_live"),
  };
}

function deadLetterOf(planned: Attributes): Json {
  const destination = onlyBlock(planned, "storage_blob_dead_letter_destination");
  if (destination === undefined) return null;
  return {
    endpointType: "StorageBlob",
    properties: {
      resourceId: text(destination, "storage_account_id"),
      blobContainerName: text(destination, "storage_blob_container_name"),
    },
  };
}

function identityOf(planned: Attributes, name: string): JsonObject | undefined {
  const identity = onlyBlock(planned, name);
  if (identity === undefined) return undefined;
  return {
    type: text(identity, "type"),
    userAssignedIdentity: text(identity, "user_assigned_identity") || undefined,
  };
}

/** The number under that name. Zero counts as not set, as in the real provider. */
function numberIn(block: Attributes, name: string): number | undefined {
  const value = block[name];
  return typeof value === "number" && value !== 0 ? value : undefined;
}
