import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import {
  existing,
  identity,
  published,
  received,
  receivedWithoutApplication,
  storageAccount,
} from "../fixtures.js";

/** Bindings whose synthesized JSON is compared with snapshots, and between cdktf and cdktn. */
export const mainShapes: Readonly<Record<string, (stack: TerraformStack) => void>> = {
  publishes: (scope) => {
    const topic = new CloudEventGridTopic(scope, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    topic.grantPublish(existing.writerId);
    new CloudEventGridBinding(scope, "orders", { ...published, topicEndpoint: topic.endpoint });
  },

  "receives-for-an-existing-application": (scope) => {
    new CloudEventGridBinding(scope, "orders", received);
  },

  "provisions-everything": (scope) => {
    const topic = new CloudEventGridTopic(scope, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    topic.grantPublish(existing.writerId);
    const application = new WebhookApplication(scope, "webhook", { displayName: "orders webhook" });
    new CloudEventGridBinding(scope, "orders", {
      ...receivedWithoutApplication,
      direction: "input, output",
      application,
      scope: topic.id,
      topicEndpoint: topic.endpoint,
      publishWith: "entra",
      includedEventTypes: ["shop.order.placed"],
    });
  },

  "client-writes": (scope) => {
    const secret = new TerraformVariable(scope, "secret", { type: "string", sensitive: true });
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      writer: "client",
      cloudClientSecret: secret.stringValue,
      webhookProbe: true,
    });
  },

  "several-scopes-with-every-setting": (scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      writerPrincipals: [{ objectId: existing.groupId, principalType: "Group" }],
      subjectFilter: { beginsWith: "/blobServices", endsWith: ".jpg" },
      advancedFilters: [where("data.contentLength").numberGreaterThan(0)],
      retryPolicy: { maxDeliveryAttempts: 5 },
      batching: { maxEventsPerBatch: 10 },
      deadLetter: {
        storageAccount,
        container: "dead-letters",
        identity: {
          type: "UserAssigned",
          userAssignedIdentity: identity,
          principalId: existing.writerId,
        },
      },
      deliveryProperties: [{ headerName: "X-System", sourceField: "data.system" }],
      labels: ["shop"],
      additionalScopes: { uploads: storageAccount },
    });
  },

  "two-bindings-two-providers": (scope) => {
    const azurerm = new AzurermProvider(scope, "hub", { features: [{}], alias: "hub" });
    const azuread = new AzureadProvider(scope, "partner", { alias: "partner" });
    new CloudEventGridBinding(scope, "orders", received);
    const { clientId } = existing;
    const application = WebhookApplication.fromClientId(scope, "webhook", { clientId, azuread });
    new CloudEventGridBinding(scope, "parcels", {
      ...receivedWithoutApplication,
      application,
      azurerm,
    });
  },

  "pulls-from-a-namespace": (scope) => {
    const topic = new CloudEventGridNamespace(scope, "events", {
      resourceGroupName: "shop",
      location: "westeurope",
      allowedAddresses: ["203.0.113.0/24"],
    }).addTopic("orders");
    new CloudEventGridPullBinding(scope, "orders", {
      topic,
      eventSubscriptionName: "shop",
      events: { types: ["shop.order.placed"] },
      filters: [where("subject").stringBeginsWith("orders/")],
      receiver: existing.writerId,
      deadLetter: { storageAccount, container: "dead-letters" },
    });
    topic.grantPublish(existing.writerId);
    topic.addSource("uploads", { scope: storageAccount, location: "westeurope" });
  },
};
