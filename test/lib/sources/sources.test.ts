import { Eventhub } from "@cdktf/provider-azurerm/lib/eventhub/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { ServicebusTopic } from "@cdktf/provider-azurerm/lib/servicebus-topic/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import {
  defineEvents,
  systemEvents,
  systemEventTypes,
  type,
} from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup } from "../fixtures.js";

const providers = `${resourceGroup}/providers`;
const account = `${providers}/Microsoft.Storage/storageAccounts/shop`;
const namespace = `${providers}/Microsoft.ServiceBus/namespaces/shop`;
const hubs = `${providers}/Microsoft.EventHub/namespaces/shop`;
const iotHub = `${providers}/Microsoft.Devices/IotHubs/shop`;
const signalr = `${providers}/Microsoft.SignalRService/SignalR/shop`;

describe("object storage", () => {
  it("includes all events of an account", () => {
    const source = sources.objectStorage(account);
    expect(source.scope).toBe(account);
    expect(source.includedEventTypes).toHaveLength(14);
    expect(source.subjectFilter).toBeUndefined();
  });

  it("filters by container without matching longer container names", () => {
    const { subjectFilter, includedEventTypes } = sources.objectStorage(account, {
      container: "state",
    });
    expect(subjectFilter).toEqual({ beginsWith: "/blobServices/default/containers/state/" });
    const ofBlobs = /Blob(Created|Deleted|TierChanged|Renamed)|AsyncOperation|Directory/;
    expect(includedEventTypes).toEqual(
      systemEventTypes.objectStorage.filter((type) => ofBlobs.test(type)),
    );
  });

  it("filters by the beginning and end of the blob's path", () => {
    expect(
      sources.objectStorage(account, {
        events: ["Microsoft.Storage.BlobCreated"],
        container: { name: "state" },
        blobPrefix: "app/",
        blobSuffix: ".json",
        caseSensitive: true,
      }),
    ).toEqual({
      scope: account,
      includedEventTypes: ["Microsoft.Storage.BlobCreated"],
      subjectFilter: {
        beginsWith: "/blobServices/default/containers/state/blobs/app/",
        endsWith: ".json",
        caseSensitive: true,
      },
    });
  });
});

describe("cache", () => {
  it("includes finished operations, for an ID in any case", () => {
    const id = `${providers}/Microsoft.Cache/redis/shop`;
    expect(sources.cache(id)).toEqual({
      scope: id,
      includedEventTypes: [
        "Microsoft.Cache.PatchingCompleted",
        "Microsoft.Cache.ScalingCompleted",
        "Microsoft.Cache.ImportRDBCompleted",
        "Microsoft.Cache.ExportRDBCompleted",
      ],
    });
  });
});

describe("event streaming", () => {
  it("includes the files of one hub without matching longer hub names", () => {
    expect(sources.eventStreaming(hubs, { hub: "orders" })).toEqual({
      scope: hubs,
      includedEventTypes: ["Microsoft.EventHub.CaptureFileCreated"],
      subjectFilter: { beginsWith: "eventhubs/orders", endsWith: "eventhubs/orders" },
    });
  });
});

describe("IoT hub", () => {
  it("filters by device", () => {
    const { subjectFilter } = sources.iotHub(iotHub, { device: "d1" });
    expect(subjectFilter).toEqual({
      beginsWith: "devices/d1",
      endsWith: "devices/d1",
      caseSensitive: true,
    });
  });

  it("filters by the beginning of device IDs", () => {
    const { subjectFilter } = sources.iotHub(iotHub, { devicePrefix: "floor-1-" });
    expect(subjectFilter).toEqual({ beginsWith: "devices/floor-1-", caseSensitive: true });
  });
});

describe("message queue", () => {
  it.each([
    [{}, undefined],
    [{ queue: "q" }, { beginsWith: "queues/q", endsWith: "queues/q" }],
    [{ topic: "t" }, { beginsWith: "topics/t/subscriptions/" }],
    [
      { topic: "t", subscription: { name: "s" } },
      { beginsWith: "topics/t/subscriptions/s", endsWith: "topics/t/subscriptions/s" },
    ],
  ])("has, for %j, the subjects %j", (entity, subjectFilter) => {
    expect(sources.messageQueue(namespace, entity).subjectFilter).toEqual(subjectFilter);
  });
});

describe("real-time messaging", () => {
  it("filters by hub", () => {
    expect(sources.realTimeMessaging(signalr, { hub: "chat" })).toEqual({
      scope: signalr,
      includedEventTypes: [
        "Microsoft.SignalRService.ClientConnectionConnected",
        "Microsoft.SignalRService.ClientConnectionDisconnected",
      ],
      subjectFilter: { beginsWith: "/hub/chat", endsWith: "/hub/chat" },
    });
  });
});

describe("an event source in a binding", () => {
  const events = defineEvents({
    "shop.order.placed": type<{ orderId: string }>(),
    ...systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Cache.ScalingCompleted"),
  });

  it("uses the types of the service's catalogue that the resource raises", () => {
    expect(sources.objectStorage(account, { events }).includedEventTypes).toEqual([
      "Microsoft.Storage.BlobCreated",
    ]);
  });

  it("can be spread into the props, and passed as an additional scope", () => {
    const stack = synthesized((scope) => {
      const storage = new StorageAccount(scope, "storage", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
      });
      const streams = new EventhubNamespace(scope, "streams", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        sku: "Standard",
      });
      const hub = new Eventhub(scope, "hub", {
        name: "orders",
        namespaceId: streams.id,
        messageRetention: 1,
        partitionCount: 2,
        captureDescription: {
          enabled: true,
          encoding: "Avro",
          destination: {
            name: "EventHubArchive.AzureBlockBlob",
            archiveNameFormat:
              "{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}",
            blobContainerName: "capture",
            storageAccountId: storage.id,
          },
        },
      });
      const topic = new ServicebusTopic(scope, "topic", { name: "t", namespaceId: namespace });
      new CloudEventGridBinding(scope, "sources", {
        ...received,
        ...sources.objectStorage(storage, { events, container: "state" }),
        additionalScopes: {
          captured: sources.eventStreaming(streams, { hub }),
          messages: sources.messageQueue(namespace, { topic }),
        },
      });
    });
    expect(stack.one("azurerm_eventgrid_event_subscription", "sources/subscription")).toMatchObject(
      {
        scope: '/${trim(azurerm_storage_account.storage.id, "/")}',
        included_event_types: ["Microsoft.Storage.BlobCreated"],
        subject_filter: { subject_begins_with: "/blobServices/default/containers/state/" },
      },
    );
    expect(
      stack.one("azurerm_eventgrid_event_subscription", "sources/subscription-captured"),
    ).toMatchObject({
      included_event_types: ["Microsoft.EventHub.CaptureFileCreated"],
      subject_filter: {
        subject_begins_with: "eventhubs/orders",
        subject_ends_with: "eventhubs/orders",
      },
    });
    expect(
      stack.one("azurerm_eventgrid_event_subscription", "sources/subscription-messages"),
    ).toMatchObject({
      scope: namespace,
      subject_filter: {
        subject_begins_with: "topics/t/subscriptions/",
      },
    });
  });
});
