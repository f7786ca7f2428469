import type { SystemEventNameToEventData } from "@azure/eventgrid";
import {
  defineEvents,
  type EventOf,
  type SystemEventFamilies,
  type SystemEventPayloads,
  type SystemEventType,
  systemEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import {
  type SystemEventType as LocalEventType,
  systemEventTypes as localEventTypes,
} from "cloud-eventgrid-local";
import { describe, expect, expectTypeOf, it } from "vitest";

describe("the event types of the six families", () => {
  it("include those of object storage", () => {
    expect(systemEventTypes.objectStorage).toEqual([
      "Microsoft.Storage.BlobCreated",
      "Microsoft.Storage.BlobDeleted",
      "Microsoft.Storage.BlobTierChanged",
      "Microsoft.Storage.AsyncOperationInitiated",
      "Microsoft.Storage.BlobRenamed",
      "Microsoft.Storage.DirectoryCreated",
      "Microsoft.Storage.DirectoryRenamed",
      "Microsoft.Storage.DirectoryDeleted",
      "Microsoft.Storage.BlobInventoryPolicyCompleted",
      "Microsoft.Storage.LifecyclePolicyCompleted",
      "Microsoft.Storage.StorageTaskQueued",
      "Microsoft.Storage.StorageTaskCompleted",
      "Microsoft.Storage.StorageTaskAssignmentQueued",
      "Microsoft.Storage.StorageTaskAssignmentCompleted",
    ]);
  });

  it("include those of the cache", () => {
    expect(systemEventTypes.cache).toEqual([
      "Microsoft.Cache.PatchingCompleted",
      "Microsoft.Cache.ScalingCompleted",
      "Microsoft.Cache.ImportRDBCompleted",
      "Microsoft.Cache.ExportRDBCompleted",
    ]);
  });

  it("include those of event streaming", () => {
    expect(systemEventTypes.eventStreaming).toEqual(["Microsoft.EventHub.CaptureFileCreated"]);
  });

  it("include those of the IoT hub", () => {
    expect(systemEventTypes.iotHub).toEqual([
      "Microsoft.Devices.DeviceCreated",
      "Microsoft.Devices.DeviceDeleted",
      "Microsoft.Devices.DeviceConnected",
      "Microsoft.Devices.DeviceDisconnected",
      "Microsoft.Devices.DeviceTelemetry",
    ]);
  });

  it("include those of message queues", () => {
    expect(systemEventTypes.messageQueue).toEqual([
      "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
      "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners",
      "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications",
      "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications",
    ]);
  });

  it("include those of real-time messaging", () => {
    expect(systemEventTypes.realTimeMessaging).toEqual([
      "Microsoft.SignalRService.ClientConnectionConnected",
      "Microsoft.SignalRService.ClientConnectionDisconnected",
    ]);
  });

  it("are complete for the payload types of each family", () => {
    type Listed<Family extends keyof SystemEventFamilies> =
      (typeof systemEventTypes)[Family][number];
    expectTypeOf<Listed<"objectStorage">>().toEqualTypeOf<
      keyof SystemEventFamilies["objectStorage"]
    >();
    expectTypeOf<Listed<"cache">>().toEqualTypeOf<keyof SystemEventFamilies["cache"]>();
    expectTypeOf<Listed<"eventStreaming">>().toEqualTypeOf<
      keyof SystemEventFamilies["eventStreaming"]
    >();
    expectTypeOf<Listed<"iotHub">>().toEqualTypeOf<keyof SystemEventFamilies["iotHub"]>();
    expectTypeOf<Listed<"messageQueue">>().toEqualTypeOf<
      keyof SystemEventFamilies["messageQueue"]
    >();
    expectTypeOf<Listed<"realTimeMessaging">>().toEqualTypeOf<
      keyof SystemEventFamilies["realTimeMessaging"]
    >();
  });

  it("include every type of these families in the SDK", () => {
    type Prefix = "Storage" | "Cache" | "EventHub" | "Devices" | "ServiceBus" | "SignalRService";
    type OfTheSdk = Extract<keyof SystemEventNameToEventData, `Microsoft.${Prefix}.${string}`>;
    expectTypeOf<Exclude<OfTheSdk, SystemEventType>>().toEqualTypeOf<never>();
  });
});

describe("systemEvents", () => {
  it("adds events to a catalogue", () => {
    const catalogue = defineEvents({
      ...systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Devices.DeviceTelemetry"),
    });
    expect(catalogue.types).toEqual([
      "Microsoft.Storage.BlobCreated",
      "Microsoft.Devices.DeviceTelemetry",
    ]);
    expect(catalogue.schemas.size).toBe(0);
    expectTypeOf<
      EventOf<typeof catalogue, "Microsoft.Storage.BlobCreated">["data"]
    >().toEqualTypeOf<SystemEventPayloads["Microsoft.Storage.BlobCreated"]>();
  });

  it("adds a whole family to a catalogue", () => {
    const catalogue = defineEvents(systemEvents(...systemEventTypes.cache));
    expect(catalogue.types).toEqual(systemEventTypes.cache);
    expectTypeOf(catalogue.types[0]).toEqualTypeOf<
      | "Microsoft.Cache.PatchingCompleted"
      | "Microsoft.Cache.ScalingCompleted"
      | "Microsoft.Cache.ImportRDBCompleted"
      | "Microsoft.Cache.ExportRDBCompleted"
      | undefined
    >();
  });

  it("has literal types as parameters, which editors complete", () => {
    expectTypeOf<Parameters<typeof systemEvents>[number]>().toEqualTypeOf<SystemEventType>();
  });

  it("rejects an unknown name at compile time and at run time, with a suggestion", () => {
    // @ts-expect-error the name is misspelt
    expect(() => systemEvents("Microsoft.Storage.blobcreated")).toThrow(
      '"Microsoft.Storage.blobcreated" is not an event type of the six families: did you mean "Microsoft.Storage.BlobCreated"?',
    );
    // @ts-expect-error the family is not one of the six
    expect(() => systemEvents("Microsoft.KeyVault.SecretNearExpiry")).toThrow(
      "define a type of another source with type<…>()",
    );
  });
});

describe("the local Azure", () => {
  it("raises exactly the same events", () => {
    expect([...localEventTypes].sort()).toEqual(Object.values(systemEventTypes).flat().sort());
    expectTypeOf<LocalEventType>().toEqualTypeOf<SystemEventType>();
  });
});
