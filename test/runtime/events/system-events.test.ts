import type { SystemEventNameToEventData } from "@azure/eventgrid";
import {
  defineEvents,
  type EventOf,
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

describe("the event types of services", () => {
  it("are those that have payload types, and no others", () => {
    type Listed = (typeof systemEventTypes)[keyof typeof systemEventTypes][number];
    expectTypeOf<Listed>().toEqualTypeOf<SystemEventType>();
  });

  it("include every type of the SDK but those that no service sends", () => {
    expectTypeOf<Exclude<keyof SystemEventNameToEventData, SystemEventType>>().toEqualTypeOf<
      | "Microsoft.Communication.RouterJobWorkerSelectorsExpire"
      | "Microsoft.PolicyInsights.PolicyStateChanged "
      | Extract<keyof SystemEventNameToEventData, `Microsoft.Media.${string}`>
    >();
  });

  it("include those that the SDK lacks", () => {
    expectTypeOf<Exclude<SystemEventType, keyof SystemEventNameToEventData>>().toEqualTypeOf<
      | (typeof systemEventTypes.cache)[number]
      | (typeof systemEventTypes.realTimeMessaging)[number]
      | "Microsoft.Communication.RouterJobWorkerSelectorsExpired"
      | "Microsoft.PolicyInsights.PolicyStateChanged"
      | "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications"
      | "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications"
    >();
  });

  it("begin with the name of the service", () => {
    for (const types of Object.values(systemEventTypes)) {
      expect(new Set(types.map((type) => type.split(".")[1])).size).toBe(1);
    }
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

  it("refuses names that JavaScript does not check", () => {
    // @ts-expect-error the compiler knows the names
    expect(() => systemEvents("Microsoft.Storage.BlobCreatd", "shop.order.placed")).toThrow(
      /"Microsoft.Storage.BlobCreatd" is no known event type of Azure: did you mean Microsoft.Storage.BlobCreated\?[\s\S]*"shop.order.placed" is no known/,
    );
  });

  it("adds all events of a service to a catalogue", () => {
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
});

describe("the local Azure", () => {
  it("raises exactly the same events", () => {
    expect([...localEventTypes].sort()).toEqual(Object.values(systemEventTypes).flat().sort());
    expectTypeOf<LocalEventType>().toEqualTypeOf<SystemEventType>();
  });
});
