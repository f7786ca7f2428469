import { DataAzurermStorageAccount } from "@cdktf/provider-azurerm/lib/data-azurerm-storage-account/index.js";
import { Eventhub } from "@cdktf/provider-azurerm/lib/eventhub/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { ManagedRedis } from "@cdktf/provider-azurerm/lib/managed-redis/index.js";
import { ServicebusNamespace } from "@cdktf/provider-azurerm/lib/servicebus-namespace/index.js";
import { SignalrService } from "@cdktf/provider-azurerm/lib/signalr-service/index.js";
import {
  StorageAccount,
  type StorageAccountConfig,
} from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { TerraformVariable } from "cdktf";
import { sources } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../../support/synthesized.js";
import { resourceGroup } from "../fixtures.js";
import { problemsOf } from "./problems.js";

const account = `${resourceGroup}/providers/Microsoft.Storage/storageAccounts/shop`;
const place = { name: "shop", resourceGroupName: "shop", location: "westeurope" };

describe("object storage", () => {
  const made = (config: Partial<StorageAccountConfig>) =>
    new StorageAccount(stackWithProviders(), "storage", {
      ...place,
      accountTier: "Standard",
      accountReplicationType: "LRS",
      ...config,
    });

  it.each(["Storage", "FileStorage"])("is refused for an account of the kind %s", (accountKind) => {
    expect(problemsOf(() => sources.objectStorage(made({ accountKind })))).toEqual([
      `an account of the kind "${accountKind}" raises no events: it takes StorageV2, BlockBlobStorage, BlobStorage`,
    ]);
  });

  it("believes a kind that is known only later", () => {
    const stack = stackWithProviders();
    const accountKind = new TerraformVariable(stack, "kind", { type: "string" }).stringValue;
    const account = new StorageAccount(stack, "storage", {
      ...place,
      accountTier: "Standard",
      accountReplicationType: "LRS",
      accountKind,
    });
    expect(problemsOf(() => sources.objectStorage(account))).toEqual([]);
  });

  it("of a flat account has no directories and no renamed blobs", () => {
    const events = ["Microsoft.Storage.DirectoryCreated"] as const;
    expect(problemsOf(() => sources.objectStorage(made({}), { events }))).toEqual([
      "Microsoft.Storage.DirectoryCreated needs an account with a hierarchical namespace (isHnsEnabled)",
    ]);
    expect(sources.objectStorage(made({})).includedEventTypes).toEqual([
      "Microsoft.Storage.BlobCreated",
      "Microsoft.Storage.BlobDeleted",
      "Microsoft.Storage.BlobTierChanged",
      "Microsoft.Storage.AsyncOperationInitiated",
      "Microsoft.Storage.BlobInventoryPolicyCompleted",
      "Microsoft.Storage.LifecyclePolicyCompleted",
      "Microsoft.Storage.StorageTaskQueued",
      "Microsoft.Storage.StorageTaskCompleted",
      "Microsoft.Storage.StorageTaskAssignmentQueued",
      "Microsoft.Storage.StorageTaskAssignmentCompleted",
    ]);
    const hierarchical = made({ isHnsEnabled: true });
    expect(sources.objectStorage(hierarchical).includedEventTypes).toContain(
      "Microsoft.Storage.BlobRenamed",
    );
    expect(problemsOf(() => sources.objectStorage(hierarchical, { events }))).toEqual([]);
  });

  it("of an account that is looked up cannot be judged, and is believed", () => {
    const found = new DataAzurermStorageAccount(stackWithProviders(), "storage", place);
    const events = ["Microsoft.Storage.DirectoryCreated"] as const;
    expect(problemsOf(() => sources.objectStorage(found, { events }))).toEqual([]);
  });

  it("cannot be filtered by container where the subject names none", () => {
    expect(
      problemsOf(() =>
        sources.objectStorage(account, {
          events: ["Microsoft.Storage.LifecyclePolicyCompleted"],
          container: "state",
        }),
      ),
    ).toEqual([
      "Microsoft.Storage.LifecyclePolicyCompleted has no blob in the subject: take a source of its own, without container and path",
    ]);
  });

  it("tells everything that is wrong at once, with a stable code", () => {
    const wrong = () =>
      sources.objectStorage(`${resourceGroup}/providers/Microsoft.Cache/Redis/shop`, {
        events: [],
        blobPrefix: "/app",
      });
    expect(problemsOf(wrong)).toEqual([
      `the ID of a storage account ends in /providers/Microsoft.Storage/storageAccounts/{name}, but "${resourceGroup}/providers/Microsoft.Cache/Redis/shop" does not`,
      "a storage account raises none of an empty list",
      "blobPrefix needs a container: a subject names the container before the path",
      'blobPrefix must be a path that does not begin with a slash, but is "/app"',
    ]);
    expect(wrong).toThrow(expect.objectContaining({ code: "ERR_EVENT_SOURCE" }));
    expect(wrong).toThrow("the events of the storage account cannot be received as asked: ");
  });

  it.each(["state/app", ""])("takes no path for a container, and not nothing: %j", (container) => {
    expect(problemsOf(() => sources.objectStorage(account, { container }))).toEqual([
      `container must be a name without slashes, but is "${container}"`,
    ]);
  });
});

describe("cache", () => {
  it("is no other kind of Redis", () => {
    const redis = new ManagedRedis(stackWithProviders(), "redis", {
      ...place,
      skuName: "Balanced_B0",
    });
    expect(problemsOf(() => sources.cache(redis))).toEqual([
      "the resource must be of type azurerm_redis_cache, but is of type azurerm_managed_redis",
    ]);
  });

  it("raises no events of other families", () => {
    const id = `${resourceGroup}/providers/Microsoft.Cache/Redis/shop`;
    expect(
      problemsOf(() =>
        sources.cache(id, { events: { types: ["shop.order.placed", "Microsoft.Cache.Scaling"] } }),
      ),
    ).toEqual(['a cache raises none of "shop.order.placed", "Microsoft.Cache.Scaling"']);
    expect(
      problemsOf(() =>
        sources.cache(id, {
          // @ts-expect-error a list holds types of the family only
          events: ["Microsoft.Cache.ScalingCompleted", "Microsoft.Cache.Scaling"],
        }),
      ),
    ).toEqual(['a cache does not raise "Microsoft.Cache.Scaling"']);
  });
});

describe("event streaming", () => {
  it("needs a namespace that has Capture, and a hub that uses it", () => {
    const stack = stackWithProviders();
    const basic = new EventhubNamespace(stack, "streams", { ...place, sku: "Basic" });
    const hub = new Eventhub(stack, "hub", {
      name: "orders",
      namespaceId: basic.id,
      messageRetention: 1,
      partitionCount: 2,
    });
    expect(problemsOf(() => sources.eventStreaming(basic, { hub }))).toEqual([
      'a namespace of the "Basic" tier has no Capture, and raises no events: it takes "Standard" or above',
      "the hub has no captureDescription that is enabled: it would never raise an event",
    ]);
  });

  it("takes the namespace for a scope, and not the hub", () => {
    const hub = new Eventhub(stackWithProviders(), "hub", {
      name: "orders",
      messageRetention: 1,
      partitionCount: 2,
    });
    expect(problemsOf(() => sources.eventStreaming(hub))).toEqual([
      "the resource must be of type azurerm_eventhub_namespace, but is of type azurerm_eventhub",
    ]);
  });
});

describe("message queue", () => {
  it.each(["Basic", "Standard"])("is refused for a namespace of the %s tier", (sku) => {
    const namespace = new ServicebusNamespace(stackWithProviders(), "queues", { ...place, sku });
    expect(problemsOf(() => sources.messageQueue(namespace))).toEqual([
      `a namespace of the "${sku}" tier raises no events: it takes "Premium"`,
    ]);
  });

  it("believes a tier that is known only later", () => {
    const stack = stackWithProviders();
    const sku = new TerraformVariable(stack, "sku", { type: "string" }).stringValue;
    const namespace = new ServicebusNamespace(stack, "queues", { ...place, sku });
    expect(problemsOf(() => sources.messageQueue(namespace))).toEqual([]);
  });
});

describe("real-time messaging", () => {
  const service = (serviceMode?: string) =>
    new SignalrService(stackWithProviders(), "signalr", {
      ...place,
      sku: { name: "Standard_S1", capacity: 1 },
      ...(serviceMode !== undefined && { serviceMode }),
    });

  it("is refused for the mode that leaves everything to hub servers", () => {
    const problem =
      'a service in the mode "Default" raises no events: set serviceMode to "Serverless"';
    expect(problemsOf(() => sources.realTimeMessaging(service()))).toEqual([problem]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Default")))).toEqual([problem]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Serverless")))).toEqual([]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Classic")))).toEqual([]);
  });
});
