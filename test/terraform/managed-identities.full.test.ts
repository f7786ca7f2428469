import { Eventhub } from "@cdktf/provider-azurerm/lib/eventhub/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { Iothub } from "@cdktf/provider-azurerm/lib/iothub/index.js";
import { RedisCache } from "@cdktf/provider-azurerm/lib/redis-cache/index.js";
import { ServicebusNamespace } from "@cdktf/provider-azurerm/lib/servicebus-namespace/index.js";
import { ServicebusQueue } from "@cdktf/provider-azurerm/lib/servicebus-queue/index.js";
import { SignalrService } from "@cdktf/provider-azurerm/lib/signalr-service/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  sources,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
  await shop.createGroup();
});
afterEach(() => shop.stop());

const place = { resourceGroupName: "shop", location: "westeurope" };

const storage = (stack: ShopStack) =>
  new StorageAccount(stack, "files", {
    ...place,
    name: "files",
    accountTier: "Standard",
    accountReplicationType: "LRS",
  });

/** A resource of each family that the specification names, and the events that it raises. */
const families = {
  "object storage": (stack: ShopStack) => {
    const account = storage(stack);
    const container = new StorageContainer(stack, "uploads", {
      name: "uploads",
      storageAccountId: account.id,
    });
    return sources.objectStorage(account, { container });
  },
  "a cache": (stack: ShopStack) =>
    sources.cache(
      new RedisCache(stack, "cache", {
        ...place,
        name: "cache",
        capacity: 1,
        family: "C",
        skuName: "Standard",
      }),
    ),
  "event streaming": (stack: ShopStack) => {
    const namespace = new EventhubNamespace(stack, "hubs", {
      ...place,
      name: "shop-hubs",
      sku: "Standard",
    });
    const hub = new Eventhub(stack, "orders-hub", {
      name: "orders",
      namespaceId: namespace.id,
      partitionCount: 2,
      messageRetention: 1,
      captureDescription: {
        enabled: true,
        encoding: "Avro",
        destination: {
          name: "EventHubArchive.AzureBlockBlob",
          archiveNameFormat:
            "{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}",
          blobContainerName: "capture",
          storageAccountId: storage(stack).id,
        },
      },
    });
    return sources.eventStreaming(namespace, { hub });
  },
  "an IoT hub": (stack: ShopStack) =>
    sources.iotHub(
      new Iothub(stack, "devices", {
        ...place,
        name: "devices",
        sku: { name: "S1", capacity: 1 },
      }),
    ),
  "a message queue": (stack: ShopStack) => {
    const namespace = new ServicebusNamespace(stack, "bus", {
      ...place,
      name: "shop-bus",
      sku: "Premium",
      capacity: 1,
      premiumMessagingPartitions: 1,
    });
    const queue = new ServicebusQueue(stack, "queue", {
      name: "orders",
      namespaceId: namespace.id,
    });
    return sources.messageQueue(namespace, { queue });
  },
  "real-time messaging": (stack: ShopStack) =>
    sources.realTimeMessaging(
      new SignalrService(stack, "chat", {
        ...place,
        name: "chat",
        sku: { name: "Standard_S1", capacity: 1 },
        serviceMode: "Serverless",
      }),
    ),
};

describeWithTerraform("the events of a source", () => {
  it.each(Object.entries(families))("are delivered: %s", async (_family, source) => {
    await shop.write((stack) => {
      new CloudEventGridBinding(stack, "events", {
        ...shop.place,
        ...source(stack),
        application: new WebhookApplication(stack, "webhook", { displayName: "events" }),
        eventSubscriptionName: "events",
        providerRegistration: "provider",
      });
    });
    await shop.terraform.validate();
    await shop.applyCleanly();
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { name: "events", provisioningState: "Succeeded" },
    ]);
    await shop.destroyAll();
  });
});

describeWithTerraform("managed identities", () => {
  it("publish and dead-letter with the roles that they need", async () => {
    await shop.write((stack) => {
      const identity = new UserAssignedIdentity(stack, "identity", { ...place, name: "courier" });
      const topic = new CloudEventGridTopic(stack, "topic", {
        ...place,
        topicName: "orders",
        identity: { type: "UserAssigned", userAssignedIdentities: [identity.id] },
      });
      topic.grantPublish(identity.principalId);
      const userAssigned = {
        type: "UserAssigned",
        userAssignedIdentity: identity.id,
        principalId: identity.principalId,
      } as const;
      shop.binding(stack, {
        scope: topic.id,
        deadLetter: { storageAccount: storage(stack), container: "dead", identity: userAssigned },
        roleEffectSeconds: 0,
      });
    });
    const made = await shop.apply();
    expect(made.filter((each) => each === "create azurerm_role_assignment")).toHaveLength(3);
    expect(made.filter((each) => each === "create azuread_app_role_assignment")).toHaveLength(3);
    expect(await shop.plan()).toEqual([]);

    const states = await shop.terraform.state();
    const values = (type: string) => states.find((each) => each.type === type)?.values;
    const principalId = String(values("azurerm_user_assigned_identity")?.principal_id);
    const topicId = String(values("azurerm_eventgrid_topic")?.id);
    expect(shop.cloud.control.maySend(principalId, topicId)).toBe(true);
    expect(values("azurerm_eventgrid_event_subscription")).toMatchObject({
      dead_letter_identity: [{ type: "UserAssigned" }],
    });
    await shop.destroyAll();
  });
});
