import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { App, TerraformStack } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { existing, received, resourceGroup, storageAccount } from "../fixtures.js";
import { binding, create, describeProblems, messagesOf } from "../problems.js";

const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
const place = { resourceGroupName: "shop", location: "westeurope" };

describeProblems("unknown props in a spread object", [
  [
    "are reported at every level of a binding, together with other problems",
    binding({
      includedEventTypess: ["a.b"],
      Labels: ["x"],
      concurrency: 5,
      handshakePort: "0",
      batching: { maxEventPerBatch: 10 },
      deliveryProperties: [{ headerName: "x-a", vlaue: "b", value: "c" }],
      additionalScopes: { uploads: { scope: storageAccount, subjectFiler: { beginsWith: "a" } } },
    }),
    [
      "handshakePort: port",
      "includedEventTypess: unknown",
      "Labels: unknown",
      "concurrency: unknown",
      "batching.maxEventPerBatch: unknown",
      "deliveryProperties[0].vlaue: unknown",
      "additionalScopes.uploads.subjectFiler: unknown",
    ],
  ],
  [
    "are reported for the other constructs and their methods",
    (scope) => {
      // Objects that the compiler has not checked, such as those of another module.
      const misspelt: Record<string, object> = {
        topic: { topicname: "a", sku: "Basic" },
        grant: { principaltype: "User" },
        namespace: { throughput: 2 },
        queue: { filter: [] },
        clientSecret: { endData: "2030" },
        cloud: { cloudEnviroment: "public" },
        provider: { azurem: "x" },
      };
      const { clientId, writerId } = existing;
      const namespace = new CloudEventGridNamespace(scope, "shop", {
        ...place,
        ...misspelt.namespace,
      });
      const topicOfNamespace = namespace.addTopic("orders", { ...misspelt.topic });
      topicOfNamespace.addSource("uploads", { scope: storageAccount, ...place, ...misspelt.queue });
      new CloudEventGridPullBinding(scope, "queue", {
        topic: topicOfNamespace,
        eventSubscriptionName: "queue",
        ...misspelt.queue,
      });
      const topic = new CloudEventGridTopic(scope, "topic", { ...place, ...misspelt.topic });
      topic.grantPublish(writerId, { ...misspelt.grant });
      const clientSecret = { ...misspelt.clientSecret };
      new WebhookApplication(scope, "webhook", { displayName: "orders", clientSecret });
      WebhookApplication.fromClientId(scope, "known", { clientId, ...misspelt.cloud });
      new EventGridServicePrincipal(scope, "bootstrap", { ...misspelt.cloud });
      CloudEventGridTopic.fromTopicId(scope, "events", topicId, { ...misspelt.provider });
    },
    [
      "throughput: unknown",
      "topicname: unknown",
      "sku: unknown",
      "filter: unknown",
      "filter: unknown",
      "topicname: unknown",
      "sku: unknown",
      "principaltype: unknown",
      "clientSecret.endData: unknown",
      "cloudEnviroment: unknown",
      "cloudEnviroment: unknown",
      "azurem: unknown",
    ],
  ],
  [
    "are not confused with keys of additional scopes and with tags",
    (scope) => {
      const additionalScopes = { labelz: storageAccount };
      create(scope, { ...received, additionalScopes });
      new CloudEventGridTopic(scope, "topic", { ...place, tags: { locatio: "x" } });
    },
    [],
  ],
]);

describeProblems("providers", [
  [
    "must be of the right type on every construct",
    (scope) => {
      const azurerm = new AzureadProvider(scope, "directory", { alias: "directory" });
      const azuread = new AzurermProvider(scope, "north", { features: [{}], alias: "north" });
      new CloudEventGridBinding(scope, "a", { ...received, azurerm });
      new CloudEventGridTopic(scope, "b", { ...place, azurerm });
      CloudEventGridTopic.fromTopicId(scope, "c", topicId, { azurerm });
      new WebhookApplication(scope, "d", { displayName: "orders", azuread });
      WebhookApplication.fromClientId(scope, "e", { clientId: existing.clientId, azuread });
      new EventGridServicePrincipal(scope, "f", { azuread });
    },
    [
      "azurerm: type",
      "azurerm: type",
      "azurerm: type",
      "azuread: type",
      "azuread: type",
      "azuread: type",
    ],
  ],
  [
    "must belong to the construct's own stack",
    (scope) => {
      const elsewhere = new TerraformStack(new App(), "platform");
      const azurerm = new AzurermProvider(elsewhere, "azurerm", { features: [{}] });
      new CloudEventGridBinding(scope, "a", { ...received, azurerm });
    },
    ["azurerm: stack"],
  ],
]);

describe("the message of a rule", () => {
  const rules: [name: string, change: object, message: string][] = [
    [
      "integer-range",
      { retryPolicy: { maxDeliveryAttempts: 0 } },
      "retryPolicy.maxDeliveryAttempts must be a whole number from 1 to 30, but is 0",
    ],
    [
      "event-type",
      { includedEventTypes: ["shop.*"] },
      'includedEventTypes[0] must be an event type such as shop.order.placed, but "shop.*" is a pattern, which only the handlers of a listener may use',
    ],
    [
      "header-value",
      { deliveryProperties: [{ headerName: "a", value: "x".repeat(5000) }] },
      "deliveryProperties[0].value must be a string of at most 4096 bytes (its value is not shown)",
    ],
    ["unknown", { Labels: [] }, "Labels is unknown: did you mean labels?"],
  ];

  it.each<[name: string, advice: string]>([
    ["deadLetterDestination", "did you mean deadLetter?"],
    ["eventTypes", "did you mean includedEventTypes?"],
    ["filters", "did you mean advancedFilters?"],
    ["retry", "did you mean retryPolicy?"],
    ["retyPolicy", "did you mean retryPolicy?"],
    ["tenantId", "did you mean cloudTenantId?"],
    ["concurrency", "remove it"],
    [
      "azureTenantId",
      "it is a name of Dapr's component, whose prefix is cloud here: rename it to cloudTenantId",
    ],
  ])("unknown names what %s is probably meant for", (name, advice) => {
    expect(messagesOf(binding({ [name]: "x" }))).toEqual([`${name} is unknown: ${advice}`]);
  });

  it("required names the fields that were set, and no others", () => {
    expect(messagesOf((scope) => create(scope, { scope: received.scope }))[0]).toBe(
      "cloudTenantId is required to receive events (scope is set)",
    );
  });

  it.each(rules)("%s says what the value must be, and shows it", (_rule, change, message) => {
    expect(messagesOf(binding(change))).toEqual([message]);
  });
});
