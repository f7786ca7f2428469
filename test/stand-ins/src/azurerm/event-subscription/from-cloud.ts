import { at, isObject, type Json, listAt, stringAt } from "../../cloud/json-client.js";
import { blocks, text } from "../../provider/provider.js";
import type { Attributes, Value } from "../../values/value.js";
import { fromAdvancedFilters } from "./advanced-filter.js";

/**
 * Converts Resource Manager's event subscription to the attributes of the state.
 *
 * @param fullUrl - the webhook's URL with its query, which only `getFullUrl` returns.
 * @param state - the prior state, which has the secret delivery properties that Azure never
 * returns.
 */
export function fromCloud(body: Json, fullUrl: string, state: Attributes): Attributes {
  const properties = at(body, "properties");
  const delivery = at(properties, "deliveryWithResourceIdentity");
  const deadLettering = at(properties, "deadLetterWithResourceIdentity");
  const destination = at(delivery ?? properties, "destination");
  const filter = at(properties, "filter");
  return {
    event_delivery_schema: stringAt(properties, "eventDeliverySchema"),
    expiration_time_utc: stringAt(properties, "expirationTimeUtc"),
    labels: strings(listAt(properties, "labels")),
    delivery_identity: identity(delivery),
    dead_letter_identity: identity(deadLettering),
    delivery_property: deliveryProperties(destination, state),
    ...destinations(destination, fullUrl),
    storage_blob_dead_letter_destination: deadLetter(
      at(deadLettering ?? properties, "deadLetterDestination"),
    ),
    included_event_types: strings(listAt(filter, "includedEventTypes")),
    advanced_filtering_on_arrays_enabled: at(filter, "enableAdvancedFilteringOnArrays") === true,
    subject_filter: subjectFilter(filter),
    advanced_filter: fromAdvancedFilters(filter),
    retry_policy: retryPolicy(at(properties, "retryPolicy")),
  };
}

function destinations(destination: Json | undefined, fullUrl: string): Attributes {
  const type = stringAt(destination, "endpointType");
  const property = (name: string) => stringAt(destination, "properties", name);
  const idOf = (expected: string) => (type === expected ? property("resourceId") : "");
  return {
    webhook_endpoint:
      type === "WebHook"
        ? [
            {
              url: fullUrl,
              base_url: property("endpointBaseUrl"),
              active_directory_tenant_id: property("azureActiveDirectoryTenantId"),
              active_directory_app_id_or_uri: property("azureActiveDirectoryApplicationIdOrUri"),
              max_events_per_batch: numberAt(destination, "properties", "maxEventsPerBatch"),
              preferred_batch_size_in_kilobytes: numberAt(
                destination,
                "properties",
                "preferredBatchSizeInKilobytes",
              ),
            },
          ]
        : [],
    storage_queue_endpoint:
      type === "StorageQueue"
        ? [{ storage_account_id: property("resourceId"), queue_name: property("queueName") }]
        : [],
    eventhub_endpoint_id: idOf("EventHub"),
    hybrid_connection_endpoint_id: idOf("HybridConnection"),
    service_bus_queue_endpoint_id: idOf("ServiceBusQueue"),
    service_bus_topic_endpoint_id: idOf("ServiceBusTopic"),
  };
}

function deliveryProperties(destination: Json | undefined, state: Attributes): Value[] {
  const known = blocks(state, "delivery_property");
  return listAt(destination, "properties", "deliveryAttributeMappings").map((each) => {
    const header_name = stringAt(each, "name");
    if (stringAt(each, "type") === "Dynamic") {
      return {
        header_name,
        type: "Dynamic",
        source_field: stringAt(each, "properties", "sourceField"),
      };
    }
    const secret = at(each, "properties", "isSecret") === true;
    const before = known.find((one) => text(one, "header_name") === header_name);
    const value =
      secret && before !== undefined
        ? text(before, "value")
        : stringAt(each, "properties", "value");
    return { header_name, type: "Static", secret, value };
  });
}

function subjectFilter(filter: Json | undefined): Value[] {
  const begins = stringAt(filter, "subjectBeginsWith");
  const ends = stringAt(filter, "subjectEndsWith");
  const caseSensitive = at(filter, "isSubjectCaseSensitive") === true;
  if (begins === "" && ends === "") return [];
  return [{ subject_begins_with: begins, subject_ends_with: ends, case_sensitive: caseSensitive }];
}

function retryPolicy(policy: Json | undefined): Value[] {
  if (!isObject(policy)) return [];
  return [
    {
      max_delivery_attempts: numberAt(policy, "maxDeliveryAttempts"),
      event_time_to_live: numberAt(policy, "eventTimeToLiveInMinutes"),
    },
  ];
}

function deadLetter(destination: Json | undefined): Value[] {
  if (!isObject(destination)) return [];
  return [
    {
      storage_account_id: stringAt(destination, "properties", "resourceId"),
      storage_blob_container_name: stringAt(destination, "properties", "blobContainerName"),
    },
  ];
}

function identity(withIdentity: Json | undefined): Value[] {
  if (!isObject(withIdentity)) return [];
  return [
    {
      type: stringAt(withIdentity, "identity", "type"),
      user_assigned_identity: stringAt(withIdentity, "identity", "userAssignedIdentity"),
    },
  ];
}

function numberAt(body: Json | undefined, ...path: string[]): number {
  const value = at(body, ...path);
  return typeof value === "number" ? value : 0;
}

function strings(values: Json[]): string[] {
  return values.filter((value) => typeof value === "string");
}
