import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { TerraformStack } from "cdktf";
import {
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
  type CloudEventGridNamespaceTopic,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
  CloudEventGridTopic,
  where,
} from "cloud-eventgrid-binding";
import { existing, identity, resourceGroup, storageAccount } from "../fixtures.js";
import { describeProblems } from "../problems.js";

const place = { resourceGroupName: "shop", location: "westeurope" };

function create(scope: TerraformStack, props: object = {}) {
  const all = { ...place, ...props } as CloudEventGridNamespaceProps;
  return new CloudEventGridNamespace(scope, "events", all);
}

function pull(
  scope: TerraformStack,
  props: object,
  topic: CloudEventGridNamespaceTopic = create(scope).addTopic("orders"),
) {
  const all = { topic, eventSubscriptionName: "shop", ...props };
  return new CloudEventGridPullBinding(scope, "orders", all as CloudEventGridPullBindingProps);
}

describeProblems("namespaces", [
  [
    "reports every value outside the limits of Azure",
    (scope) => {
      create(scope, {
        namespaceName: "a_b",
        capacity: 41,
        allowedAddresses: [...Array.from({ length: 16 }, (_, i) => `10.0.${i}.0/24`), "x"],
        identity: { type: "UserAssigned", userAssignedIdentities: [identity, identity, identity] },
      }).addTopic("o", { eventRetentionDays: 8 });
    },
    [
      "namespaceName: namespace-name",
      "capacity: integer-range",
      "allowedAddresses[16]: cidr",
      "allowedAddresses: count",
      "identity.userAssignedIdentities: count",
      "topicName: namespace-name",
      "eventRetentionDays: integer-range",
    ],
  ],
  [
    "reports reserved names, contradictory identities and IDs of other resources",
    (scope) => {
      create(scope, { namespaceName: "system-events", identity: { type: "UserAssigned" } });
      CloudEventGridNamespace.fromId(scope, "other", resourceGroup);
    },
    [
      "namespaceName: reserved-name",
      "identity.userAssignedIdentities: required",
      "namespaceId: namespace-id",
    ],
  ],
  [
    "reports providers of another type for a namespace that exists",
    (scope) => {
      const azurerm = new AzureadProvider(scope, "directory", { alias: "directory" });
      const props = { azurerm, azapi: azurerm };
      CloudEventGridNamespace.fromId(
        scope,
        "other",
        `${resourceGroup}/providers/Microsoft.EventGrid/namespaces/n`,
        props,
      );
    },
    ["azurerm: type", "azapi: type"],
  ],
]);

describeProblems("pull bindings", [
  [
    "reports an invalid receiver without an index if it is the only one",
    (scope) => void pull(scope, { receiver: "orders" }),
    ["receiver: uuid"],
  ],
  [
    "reports every value outside the limits of Azure",
    (scope) =>
      void pull(scope, {
        eventSubscriptionName: "a",
        receiver: ["orders"],
        receiveLockSeconds: 30,
        maxDeliveryCount: 11,
        eventTimeToLiveMinutes: 0,
        filters: [where("data.amount").numberGreaterThan(1), where("data").isNotNull()],
      }),
    [
      "eventSubscriptionName: namespace-name",
      "receiver[0]: uuid",
      "filters[0].key: attribute",
      "filters[1].key: attribute",
      "receiveLockSeconds: integer-range",
      "maxDeliveryCount: integer-range",
      "eventTimeToLiveMinutes: integer-range",
    ],
  ],
  [
    "reports a time to live above the retention, and a dead letter without an identity",
    (scope) => {
      const namespace = create(scope, {
        identity: { type: "UserAssigned", userAssignedIdentities: [identity] },
      });
      const deadLetter = { storageAccount, container: "dead" };
      const topic = namespace.addTopic("orders", { eventRetentionDays: 1 });
      pull(scope, { deadLetter, eventTimeToLiveMinutes: 1441 }, topic);
    },
    ["eventTimeToLiveMinutes: retention", "deadLetter.identity.principalId: required"],
  ],
  [
    "reports a topic without a namespace",
    (scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", place);
      pull(scope, { topic });
    },
    ["topic: type"],
  ],
  [
    "reports a topic of another stack",
    (scope) => {
      const other = new TerraformStack(scope.node.root, "other");
      pull(scope, {}, create(other).addTopic("orders"));
    },
    ["topic: stack"],
  ],
  [
    "reports a second event subscription of the same topic and name",
    (scope) => {
      const topic = create(scope).addTopic("orders");
      pull(scope, {}, topic);
      const second = { topic, eventSubscriptionName: "SHOP" };
      new CloudEventGridPullBinding(scope, "second", second);
    },
    ["eventSubscriptionName: unique"],
  ],
]);

describeProblems("sources of topics", [
  [
    "reports missing regions and resource groups, and a scope that is none",
    (scope) => {
      const topic = create(scope).addTopic("orders");
      topic.addSource("none", { scope: "shop" });
      topic.addSource("all", { scope: `/subscriptions/${existing.subscriptionId}` });
    },
    ["scope: scope", "location: required", "location: required", "resourceGroupName: required"],
  ],
  [
    "reports a system topic as the scope, and an identity that would not dead-letter",
    (scope) => {
      const topic = create(scope).addTopic("orders");
      const systemTopic = `${resourceGroup}/providers/Microsoft.EventGrid/systemTopics/uploads`;
      topic.addSource("events", { scope: systemTopic, location: "westeurope" });
      const deadLetter = { storageAccount, container: "dead", identity: { type: "UserAssigned" } };
      topic.addSource("uploads", { scope: storageAccount, location: "westeurope", deadLetter });
    },
    ["scope: system-topic", "deadLetter.identity: unknown"],
  ],
]);
