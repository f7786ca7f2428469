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
import { describe, expect, expectTypeOf, test } from "vitest";

describe("the event types of the six families", () => {
  test("object storage", () => {
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

  test("cache", () => {
    expect(systemEventTypes.cache).toEqual([
      "Microsoft.Cache.PatchingCompleted",
      "Microsoft.Cache.ScalingCompleted",
      "Microsoft.Cache.ImportRDBCompleted",
      "Microsoft.Cache.ExportRDBCompleted",
    ]);
  });

  test("event streaming", () => {
    expect(systemEventTypes.eventStreaming).toEqual(["Microsoft.EventHub.CaptureFileCreated"]);
  });

  test("IoT hub", () => {
    expect(systemEventTypes.iotHub).toEqual([
      "Microsoft.Devices.DeviceCreated",
      "Microsoft.Devices.DeviceDeleted",
      "Microsoft.Devices.DeviceConnected",
      "Microsoft.Devices.DeviceDisconnected",
      "Microsoft.Devices.DeviceTelemetry",
    ]);
  });

  test("message queue", () => {
    expect(systemEventTypes.messageQueue).toEqual([
      "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
      "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners",
      "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications",
      "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications",
    ]);
  });

  test("real-time messaging", () => {
    expect(systemEventTypes.realTimeMessaging).toEqual([
      "Microsoft.SignalRService.ClientConnectionConnected",
      "Microsoft.SignalRService.ClientConnectionDisconnected",
    ]);
  });

  test("each list is complete for the payloads that are known", () => {
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

  test("nothing of these families that the SDK types is missing", () => {
    type Prefix = "Storage" | "Cache" | "EventHub" | "Devices" | "ServiceBus" | "SignalRService";
    type OfTheSdk = Extract<keyof SystemEventNameToEventData, `Microsoft.${Prefix}.${string}`>;
    expectTypeOf<Exclude<OfTheSdk, SystemEventType>>().toEqualTypeOf<never>();
  });
});

describe("systemEvents", () => {
  test("takes events into a catalogue, beside the service's own", () => {
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

  test("takes a whole family", () => {
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

  test("completes names in an editor: its parameters are the literal types", () => {
    expectTypeOf<Parameters<typeof systemEvents>[number]>().toEqualTypeOf<SystemEventType>();
  });

  test("a name that no family has does not compile, and throws with what was meant", () => {
    // @ts-expect-error the name is misspelt
    expect(() => systemEvents("Microsoft.Storage.blobcreated")).toThrow(
      '"Microsoft.Storage.blobcreated" is no event type of the six families: did you mean "Microsoft.Storage.BlobCreated"?',
    );
    // @ts-expect-error the family is not one of the six
    expect(() => systemEvents("Microsoft.KeyVault.SecretNearExpiry")).toThrow(
      "a type of another source goes into defineEvents by itself, with type<…>()",
    );
  });
});

describe("the local Azure", () => {
  test("raises exactly these events", () => {
    expect([...localEventTypes].sort()).toEqual(Object.values(systemEventTypes).flat().sort());
    expectTypeOf<LocalEventType>().toEqualTypeOf<SystemEventType>();
  });
});
