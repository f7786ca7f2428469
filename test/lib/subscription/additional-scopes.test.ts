import { CloudEventGridBinding, sources, where } from "cloud-eventgrid-binding";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup, storageAccount } from "../fixtures.js";
import { SUBSCRIPTION } from "../subscriptions.js";

const cache = `${resourceGroup}/providers/Microsoft.Cache/Redis/shop`;
const filters = ["subject_filter", "advanced_filter", "advanced_filtering_on_arrays_enabled"];

describe("additional scopes of a binding", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      labels: ["north"],
      additionalScopes: {
        uploads: `${storageAccount}/`,
        devices: {
          scope: `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
          includedEventTypes: ["Microsoft.Devices.DeviceConnected"],
          eventSubscriptionName: "devices",
        },
      },
    });
  });

  it("have their own event subscriptions, with the binding's settings as defaults", () => {
    const own = stack.one(SUBSCRIPTION, "orders/subscription");
    const uploads = stack.one(SUBSCRIPTION, "orders/subscription-uploads");
    expect(uploads).toEqual({
      ...own,
      scope: storageAccount,
      included_event_types: systemEventTypes.objectStorage,
    });
    expect(stack.one(SUBSCRIPTION, "orders/subscription-devices")).toEqual({
      ...own,
      scope: `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
      name: "devices",
      included_event_types: ["Microsoft.Devices.DeviceConnected"],
    });
  });

  it("share the application, which may write at each of them", () => {
    expect(stack.all("azuread_application_app_role")).toHaveLength(1);
    expect(
      stack
        .all("azurerm_role_assignment")
        .map(({ body }) => body.scope)
        .sort(),
    ).toEqual([
      resourceGroup,
      `${resourceGroup}/providers/Microsoft.Devices/IotHubs/hub`,
      storageAccount,
    ]);
  });
});

describe("the filters of an additional scope", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      ...sources.objectStorage(storageAccount, { container: "inbox" }),
      advancedFilters: [where("data.contentLength").numberGreaterThan(0)],
      retryPolicy: { maxDeliveryAttempts: 3 },
      additionalScopes: { cache: sources.cache(cache), group: resourceGroup },
    });
  });

  it("are not inherited from the binding", () => {
    const own = stack.one(SUBSCRIPTION, "orders/subscription");
    for (const filter of filters) expect(own).toHaveProperty(filter);
    for (const key of ["cache", "group"]) {
      const other = stack.one(SUBSCRIPTION, `orders/subscription-${key}`);
      for (const filter of filters) expect(other).not.toHaveProperty(filter);
      expect(other.retry_policy).toEqual(own.retry_policy);
    }
    expect(stack.one(SUBSCRIPTION, "orders/subscription-group").included_event_types).toContain(
      "Microsoft.Resources.ResourceWriteSuccess",
    );
    expect(stack.one(SUBSCRIPTION, "orders/subscription-cache").included_event_types).toContain(
      "Microsoft.Cache.ScalingCompleted",
    );
  });
});

describe("the event types of a catalogue", () => {
  const topic = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
  const typesOf = (entry: object) =>
    synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        events: { types: ["a.b"] },
        additionalScopes: { other: { scope: topic, ...entry } },
      });
    }).one(SUBSCRIPTION, "orders/subscription-other").included_event_types;

  it("apply to every scope without its own types", () => {
    expect(typesOf({})).toEqual(["a.b"]);
    expect(typesOf({ includedEventTypes: ["c.d"] })).toEqual(["c.d"]);
    expect(typesOf({ includedEventTypes: [] })).toEqual([]);
  });

  it("can be set for one scope", () => {
    expect(typesOf({ events: { types: ["e.f"] } })).toEqual(["e.f"]);
  });
});
