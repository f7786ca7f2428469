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
import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../../support/synthesized.js";
import { resourceGroup } from "../fixtures.js";

const account = `${resourceGroup}/providers/Microsoft.Storage/storageAccounts/shop`;
const place = { name: "shop", resourceGroupName: "shop", location: "westeurope" };

/** Every problem of a source, as "field: rule". */
function problemsOf(source: () => unknown): readonly string[] {
  try {
    source();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ field, rule }) => `${field}: ${rule}`);
  }
}

describe("object storage", () => {
  const made = (config: Partial<StorageAccountConfig>) =>
    new StorageAccount(stackWithProviders(), "storage", {
      ...place,
      accountTier: "Standard",
      accountReplicationType: "LRS",
      ...config,
    });

  it.each(["Storage", "FileStorage"])("refuses an account of the kind %s", (accountKind) => {
    expect(problemsOf(() => sources.objectStorage(made({ accountKind })))).toEqual([
      "resource: silent-resource",
    ]);
  });

  it("accepts an account whose kind is a token", () => {
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

  it("refuses events about directories for an account without a hierarchical namespace", () => {
    const events = ["Microsoft.Storage.DirectoryCreated"] as const;
    expect(problemsOf(() => sources.objectStorage(made({}), { events }))).toEqual([
      "events: hierarchical-namespace",
    ]);
    expect(sources.objectStorage(made({})).includedEventTypes).toEqual(
      systemEventTypes.objectStorage.filter((type) => !/Directory|BlobRenamed/.test(type)),
    );
    const hierarchical = made({ isHnsEnabled: true });
    expect(sources.objectStorage(hierarchical).includedEventTypes).toContain(
      "Microsoft.Storage.BlobRenamed",
    );
    expect(problemsOf(() => sources.objectStorage(hierarchical, { events }))).toEqual([]);
  });

  it("accepts every event type for an account that is looked up", () => {
    const found = new DataAzurermStorageAccount(stackWithProviders(), "storage", place);
    const events = ["Microsoft.Storage.DirectoryCreated"] as const;
    expect(problemsOf(() => sources.objectStorage(found, { events }))).toEqual([]);
  });

  it("refuses a container together with events whose subject names no blob", () => {
    expect(
      problemsOf(() =>
        sources.objectStorage(account, {
          events: ["Microsoft.Storage.LifecyclePolicyCompleted"],
          container: "state",
        }),
      ),
    ).toEqual(["events: no-blob"]);
  });

  it("reports all problems at once, with a stable code", () => {
    const wrong = () =>
      sources.objectStorage(`${resourceGroup}/providers/Microsoft.Cache/Redis/shop`, {
        events: [],
        blobPrefix: "/app",
      });
    expect(problemsOf(wrong)).toEqual([
      "resource: resource-type",
      "blobPrefix: relative-path",
      "events: event-type",
      "blobPrefix: requires-container",
    ]);
    expect(wrong).toThrow(expect.objectContaining({ code: "ERR_CONFIGURATION" }));
  });

  it.each(["state/app", ""])("refuses the container name %j", (container) => {
    expect(problemsOf(() => sources.objectStorage(account, { container }))).toEqual([
      "container: name",
    ]);
  });
});

describe("cache", () => {
  it("refuses another kind of Redis", () => {
    const redis = new ManagedRedis(stackWithProviders(), "redis", {
      ...place,
      skuName: "Balanced_B0",
    });
    expect(problemsOf(() => sources.cache(redis))).toEqual(["resource: resource-type"]);
  });

  it("refuses event types of other resources", () => {
    const id = `${resourceGroup}/providers/Microsoft.Cache/Redis/shop`;
    expect(
      problemsOf(() =>
        sources.cache(id, { events: { types: ["shop.order.placed", "Microsoft.Cache.Scaling"] } }),
      ),
    ).toEqual(["events: event-type"]);
    expect(
      problemsOf(() =>
        sources.cache(id, {
          // @ts-expect-error a list holds types of the family only
          events: ["Microsoft.Cache.ScalingCompleted", "Microsoft.Cache.Scaling"],
        }),
      ),
    ).toEqual(["events: event-type"]);
  });
});

describe("event streaming", () => {
  it("requires a namespace that supports Capture, and a hub that uses it", () => {
    const stack = stackWithProviders();
    const basic = new EventhubNamespace(stack, "streams", { ...place, sku: "Basic" });
    const hub = new Eventhub(stack, "hub", {
      name: "orders",
      namespaceId: basic.id,
      messageRetention: 1,
      partitionCount: 2,
    });
    expect(problemsOf(() => sources.eventStreaming(basic, { hub }))).toEqual([
      "resource: silent-resource",
      "hub: silent-resource",
    ]);
  });

  it("refuses a hub in the place of the namespace", () => {
    const hub = new Eventhub(stackWithProviders(), "hub", {
      name: "orders",
      messageRetention: 1,
      partitionCount: 2,
    });
    expect(problemsOf(() => sources.eventStreaming(hub))).toEqual(["resource: resource-type"]);
  });
});

describe("message queue", () => {
  it.each(["Basic", "Standard"])("refuses a namespace of the %s tier", (sku) => {
    const namespace = new ServicebusNamespace(stackWithProviders(), "queues", { ...place, sku });
    expect(problemsOf(() => sources.messageQueue(namespace))).toEqual([
      "resource: silent-resource",
    ]);
  });

  it("accepts a namespace whose tier is a token", () => {
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

  it("refuses the mode in which only hub servers get the messages", () => {
    const problem = "resource: silent-resource";
    expect(problemsOf(() => sources.realTimeMessaging(service()))).toEqual([problem]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Default")))).toEqual([problem]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Serverless")))).toEqual([]);
    expect(problemsOf(() => sources.realTimeMessaging(service("Classic")))).toEqual([]);
  });
});

describe("contradictory options of a source", () => {
  const queues = `${resourceGroup}/providers/Microsoft.ServiceBus/namespaces/shop`;
  const things = `${resourceGroup}/providers/Microsoft.Devices/IotHubs/shop`;

  it("are a queue and a topic, and a subscription without a topic", () => {
    const both: object = { queue: "a", topic: "b" };
    expect(problemsOf(() => sources.messageQueue(queues, both))).toEqual(["queue: exclusive"]);
    const without: object = { queue: "a", subscription: "b" };
    expect(problemsOf(() => sources.messageQueue(queues, without))).toEqual([
      "subscription: requires-topic",
    ]);
  });

  it("are a device and a prefix of devices", () => {
    const both: object = { device: "a", devicePrefix: "b" };
    expect(problemsOf(() => sources.iotHub(things, both))).toEqual(["device: exclusive"]);
  });

  it("are event types and a catalogue", () => {
    const type = "Microsoft.Devices.DeviceCreated";
    const both = { eventTypes: [type], events: { types: [type] } } as const;
    // @ts-expect-error: the types say so, too.
    expect(problemsOf(() => sources.resource(things, both))).toEqual(["eventTypes: exclusive"]);
  });

  it.each<[field: string, source: () => unknown]>([
    ["device", () => sources.iotHub(things, { device: "a/b" })],
    ["devicePrefix", () => sources.iotHub(things, { devicePrefix: "a/b" })],
    ["queue", () => sources.messageQueue(queues, { queue: "a/b" })],
    ["topic", () => sources.messageQueue(queues, { topic: "a/b" })],
    ["subscription", () => sources.messageQueue(queues, { topic: "a", subscription: "a/b" })],
  ])("include a %s with a slash", (field, source) => {
    expect(problemsOf(source)).toEqual([`${field}: name`]);
  });

  it("include misspelt ones, which would widen the filter", () => {
    const misspelt: object = { container: "abc", blobPrefx: "b" };
    expect(problemsOf(() => sources.objectStorage(account, misspelt))).toEqual([
      "blobPrefx: unknown",
    ]);
  });
});
