import type { TerraformStack } from "cdktf";
import {
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
  type NamespaceTopicOptions,
  type NamespaceTopicSourceProps,
  where,
} from "cloud-eventgrid-binding";
import { describe, expect } from "vitest";
import { storageAccount } from "../fixtures.js";
import { type Place, type Rows, testRows } from "./later.js";

const AZAPI = "azapi_resource";
const ROLE = "azurerm_role_assignment";
const QUEUE = "body.properties.deliveryConfiguration.queue";
const FILTERS = "body.properties.filtersConfiguration";
const written = (way: string, value: unknown): Place => [AZAPI, way, value];

const namespaces: Rows<CloudEventGridNamespaceProps> = {
  resourceGroupName: [
    ({ text }) => ({ resourceGroupName: text }),
    written("parent_id", expect.stringContaining("/resourceGroups/${var.text}")),
  ],
  location: [({ text }) => ({ location: text }), written("location", "${var.text}")],
  namespaceName: [({ text }) => ({ namespaceName: text }), written("name", "${var.text}")],
  capacity: [({ number }) => ({ capacity: number }), written("body.sku.capacity", "${var.number}")],
  publicNetworkAccess: [
    ({ boolean }) => ({ publicNetworkAccess: boolean }),
    written("body.properties.publicNetworkAccess", '${var.boolean ? "Enabled" : "Disabled"}'),
  ],
  allowedAddresses: [
    ({ list }) => ({ allowedAddresses: list }),
    written(
      "body.properties.inboundIpRules",
      '${[ for key, val in var.list: {"ipMask" = val, "action" = "Allow"}]}',
    ),
  ],
  identity: [
    ({ list }) => ({ identity: { type: "UserAssigned", userAssignedIdentities: list } }),
    written("identity.0.identity_ids", "${var.list}"),
  ],
  privateEndpoints: [
    ({ text }) => ({ privateEndpoints: [{ subnetId: text }] }),
    ["azurerm_private_endpoint", "subnet_id", "${var.text}"],
  ],
  diagnostics: [
    ({ text }) => ({ diagnostics: { storageAccountId: text } }),
    ["azurerm_monitor_diagnostic_setting", "storage_account_id", "${var.text}"],
  ],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
  tags: [({ map }) => ({ tags: map }), written("tags", "${var.map}")],
  providerRegistration: [({ text }) => ({ providerRegistration: text }), "providerRegistration"],
  azurerm: "no value",
  azapi: "no value",
};

const topics: Rows<NamespaceTopicOptions> = {
  eventRetentionDays: [
    ({ number }) => ({ eventRetentionDays: number }),
    written("body.properties.eventRetentionInDays", "${var.number}"),
    // Not a product that JavaScript has calculated with the token.
    written(`${QUEUE}.eventTimeToLive`, "P${var.number}D"),
  ],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
};

const bindings: Rows<CloudEventGridPullBindingProps> = {
  topic: "no value",
  eventSubscriptionName: [
    ({ text }) => ({ eventSubscriptionName: text }),
    written("name", "${var.text}"),
  ],
  receiver: [({ text }) => ({ receiver: [text] }), [ROLE, "principal_id", "${var.text}"]],
  events: [
    ({ list }) => ({ events: { types: list } }),
    written(`${FILTERS}.includedEventTypes`, "${var.list}"),
  ],
  includedEventTypes: [
    ({ list }) => ({ includedEventTypes: list }),
    written(`${FILTERS}.includedEventTypes`, "${var.list}"),
  ],
  filters: [
    ({ text }) => ({ filters: [where(text).stringIn(text)] }),
    written(`${FILTERS}.filters.0`, {
      operatorType: "StringIn",
      key: "${var.text}",
      values: ["${var.text}"],
    }),
  ],
  deadLetter: [
    ({ text }) => ({ deadLetter: { storageAccount, container: text } }),
    written(
      `${QUEUE}.deadLetterDestinationWithResourceIdentity.deadLetterDestination.properties.blobContainerName`,
      "${var.text}",
    ),
  ],
  receiveLockSeconds: [
    ({ number }) => ({ receiveLockSeconds: number }),
    written(`${QUEUE}.receiveLockDurationInSeconds`, "${var.number}"),
  ],
  maxDeliveryCount: [
    ({ number }) => ({ maxDeliveryCount: number }),
    written(`${QUEUE}.maxDeliveryCount`, "${var.number}"),
  ],
  eventTimeToLiveMinutes: [
    ({ number }) => ({ eventTimeToLiveMinutes: number }),
    "eventTimeToLiveMinutes",
  ],
  existingAssignments: [({ list }) => ({ existingAssignments: list }), "existingAssignments"],
  roleEffectSeconds: [({ number }) => ({ roleEffectSeconds: number }), "roleEffectSeconds"],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
};

const systemSources: Rows<NamespaceTopicSourceProps> = {
  scope: [
    ({ text }) => ({ scope: text }),
    written("body.properties.source", '/${trim(var.text, "/")}'),
  ],
  location: [({ text }) => ({ location: text }), written("location", "${var.text}")],
  resourceGroupName: [
    ({ text }) => ({ resourceGroupName: text }),
    written("parent_id", expect.stringContaining("/resourceGroups/${var.text}")),
  ],
  systemTopic: [
    ({ text }) => ({ systemTopic: { id: text, principalId: text } }),
    written("parent_id", "${var.text}"),
    [ROLE, "principal_id", "${var.text}"],
  ],
  eventSubscriptionName: [
    ({ text }) => ({ eventSubscriptionName: text }),
    written("name", "${var.text}"),
  ],
  events: [
    ({ list }) => ({ events: { types: list } }),
    written("body.properties.filter.includedEventTypes", "${var.list}"),
  ],
  includedEventTypes: [
    ({ list }) => ({ includedEventTypes: list }),
    written("body.properties.filter.includedEventTypes", "${var.list}"),
  ],
  subjectFilter: [
    ({ text }) => ({ subjectFilter: { beginsWith: text } }),
    written("body.properties.filter.subjectBeginsWith", "${var.text}"),
  ],
  advancedFilters: [
    ({ text, number }) => ({ advancedFilters: [where(text).numberGreaterThan(number)] }),
    written("body.properties.filter.advancedFilters.0", {
      operatorType: "NumberGreaterThan",
      key: "${var.text}",
      value: "${var.number}",
    }),
  ],
  retryPolicy: [
    ({ number }) => ({
      retryPolicy: { maxDeliveryAttempts: number, eventTimeToLiveMinutes: number },
    }),
    written("body.properties.retryPolicy", {
      maxDeliveryAttempts: "${var.number}",
      eventTimeToLiveInMinutes: "${var.number}",
    }),
  ],
  deadLetter: [
    ({ text }) => ({ deadLetter: { storageAccount, container: text } }),
    written(
      "body.properties.deadLetterWithResourceIdentity.deadLetterDestination.properties.blobContainerName",
      "${var.text}",
    ),
  ],
  diagnostics: [
    ({ text }) => ({
      diagnostics: { eventHub: { authorizationRuleId: text, name: text } },
    }),
    ["azurerm_monitor_diagnostic_setting", "eventhub_name", "${var.text}"],
  ],
  protect: [({ boolean }) => ({ protect: boolean }), "protect"],
  roleEffectSeconds: [({ number }) => ({ roleEffectSeconds: number }), "roleEffectSeconds"],
};

interface Props {
  readonly namespace?: object;
  readonly topic?: object;
  readonly binding?: object;
  readonly source?: object;
}

function build(scope: TerraformStack, { namespace, topic, binding, source }: Props): void {
  const place = { resourceGroupName: "shop", location: "westeurope" };
  const orders = new CloudEventGridNamespace(scope, "events", { ...place, ...namespace }).addTopic(
    "orders",
    topic,
  );
  new CloudEventGridPullBinding(scope, "orders", {
    topic: orders,
    eventSubscriptionName: "shop",
    ...binding,
  });
  if (source) orders.addSource("uploads", { ...place, scope: storageAccount, ...source });
}

describe("a token as a prop of", () => {
  describe("a namespace", () => {
    testRows(namespaces, (scope, namespace) => build(scope, { namespace }));
  });

  describe("a topic of a namespace", () => {
    testRows(topics, (scope, topic) => build(scope, { topic }));
  });

  describe("a pull binding", () => {
    testRows(bindings, (scope, binding) => build(scope, { binding }));
  });

  describe("a source of a topic", () => {
    testRows(systemSources, (scope, source) => build(scope, { source }));
  });
});
