import { doing } from "../cloud/client.js";
import { block, blockList, computed, type Fields, sameNames } from "../provider/fields.js";
import { type Attributes, at, isAttributes, objects, text, type Value } from "../values/value.js";
import type { ManagedResource } from "./managed-resource.js";

const API_VERSION = "2025-02-15";

/** Where attributes are in the properties, in the form that {@link fromCloud} returns. */
const fields: Fields = {
  ...sameNames("", "event_delivery_schema", "expiration_time_utc", "labels"),
  webhook_endpoint: block("webhook", {
    url: "endpointUrl",
    base_url: computed("endpointBaseUrl"),
    active_directory_tenant_id: "azureActiveDirectoryTenantId",
    active_directory_app_id_or_uri: "azureActiveDirectoryApplicationIdOrUri",
    ...sameNames("", "max_events_per_batch", "preferred_batch_size_in_kilobytes"),
  }),
  storage_queue_endpoint: block("queue", {
    storage_account_id: "resourceId",
    queue_name: "queueName",
  }),
  delivery_property: blockList("webhook.deliveryAttributeMappings", {
    header_name: "name",
    type: "type",
    source_field: "properties.sourceField",
    value: "properties.value",
    secret: "properties.isSecret",
  }),
  dead_letter_identity: block("deadLetterIdentity", {
    type: "type",
    user_assigned_identity: "userAssignedIdentity",
  }),
  storage_blob_dead_letter_destination: block("deadLetter", {
    storage_account_id: "resourceId",
    storage_blob_container_name: "blobContainerName",
  }),
  subject_filter: block("subject", {
    ...sameNames("", "subject_begins_with", "subject_ends_with"),
    case_sensitive: "isSubjectCaseSensitive",
  }),
  included_event_types: "filter.includedEventTypes",
  advanced_filtering_on_arrays_enabled: "filter.enableAdvancedFilteringOnArrays",
  advanced_filter: {
    path: "filter.advancedFilters",
    read: fromAdvancedFilters,
    write: toAdvancedFilters,
  },
  retry_policy: block("retryPolicy", {
    max_delivery_attempts: "maxDeliveryAttempts",
    event_time_to_live: "eventTimeToLiveInMinutes",
  }),
};

/**
 * An event subscription of a webhook or a storage queue: an update sends everything again, which starts a
 * new handshake. A create whose handshake fails leaves a subscription in the cloud that is missing from the
 * state, unless the provider persists IDs early; the next apply fails because it already exists.
 */
export const eventSubscription: ManagedResource = {
  id: "{scope}/providers/Microsoft.EventGrid/eventSubscriptions/{name}",
  named: "Scoped Event Subscription",
  isLongRunning: true,
  apiVersion: API_VERSION,
  fields,
  forceNew: ["name", "scope", "event_delivery_schema"],
  filledIn: ["retry_policy"],
  defaults: {
    event_delivery_schema: "EventGridSchema",
    advanced_filtering_on_arrays_enabled: false,
  },
  write: toCloud,
  read: fromCloud,
  async learn(id, learnt, account, state) {
    const [webhook] = objects(learnt, "webhook_endpoint");
    if (webhook === undefined) return {};
    const { body } = await doing(`retrieving full url for ${id}`, () =>
      account.resourceManager.call("POST", `${id}/getFullUrl?api-version=${API_VERSION}`),
    );
    return {
      webhook_endpoint: [{ ...webhook, url: text(body, "endpointUrl") }],
      delivery_property: withSecrets(objects(learnt, "delivery_property"), state),
    };
  },
};

/** The properties, with the dead letter at the same place whether or not an identity writes it. */
function fromCloud(body: Value): Value {
  const properties = at(body, "properties");
  const withIdentity = at(properties, "deadLetterWithResourceIdentity");
  const destination = at(properties, "destination.properties");
  const isQueue = text(properties, "destination.endpointType") === "StorageQueue";
  const filter = at(properties, "filter");
  const hasSubject = text(filter, "subjectBeginsWith") || text(filter, "subjectEndsWith");
  return {
    ...(isAttributes(properties) && properties),
    [isQueue ? "queue" : "webhook"]: destination,
    deadLetterIdentity: at(withIdentity, "identity"),
    deadLetter: at(withIdentity ?? properties, "deadLetterDestination.properties"),
    subject: hasSubject ? filter : null,
  };
}

/** The opposite of {@link fromCloud}. */
function toCloud(given: Attributes): object {
  const { webhook, queue, deadLetterIdentity: identity, deadLetter, subject, ...rest } = given;
  const deadLetterDestination = deadLetter && {
    endpointType: "StorageBlob",
    properties: deadLetter,
  };
  return {
    properties: {
      ...rest,
      destination: {
        endpointType: queue ? "StorageQueue" : "WebHook",
        properties: queue ?? webhook,
      },
      filter: { ...Object(rest.filter), ...Object(subject) },
      ...(identity
        ? { deadLetterWithResourceIdentity: { identity, deadLetterDestination } }
        : { deadLetterDestination }),
    },
  };
}

/** Azure never returns the values of secret headers, so that they are taken from the state. */
function withSecrets(properties: readonly Attributes[], state: Attributes): Attributes[] {
  const known = objects(state, "delivery_property");
  return properties.map((property) => {
    const before = known.find(({ header_name }) => header_name === property.header_name);
    const isSecret = property.secret === true && before !== undefined;
    return isSecret ? { ...property, value: text(before, "value") } : property;
  });
}

/** The blocks of `advanced_filter` as Resource Manager's list, in the order of their operators. */
function toAdvancedFilters(value: Value): Value {
  const [operators = {}] = objects({ value }, "value");
  return Object.keys(operators)
    .sort()
    .flatMap((operator) =>
      objects(operators, operator).map((filter) => ({
        ...filter,
        operatorType: operator.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase()),
      })),
    );
}

/** Resource Manager's list of filters as the block `advanced_filter`; none when it is empty. */
function fromAdvancedFilters(json: Value): Value {
  const operators: Record<string, Attributes[]> = {};
  for (const { operatorType, ...filter } of objects({ json }, "json")) {
    const operator = String(operatorType)
      .replace(/(?!^)[A-Z]/g, "_$&")
      .toLowerCase();
    operators[operator] = [...(operators[operator] ?? []), filter];
  }
  return Object.keys(operators).length === 0 ? [] : [operators];
}
