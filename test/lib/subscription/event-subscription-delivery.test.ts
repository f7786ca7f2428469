import { describe, expect, it } from "vitest";
import { subscriptionWith } from "../subscriptions.js";

describe("the delivery settings of an event subscription", () => {
  it("set retry limits, with the defaults of the service", () => {
    expect(subscriptionWith({ retryPolicy: { eventTimeToLiveMinutes: 60 } }).retry_policy).toEqual({
      max_delivery_attempts: 30,
      event_time_to_live: 60,
    });
    expect(subscriptionWith({ retryPolicy: { maxDeliveryAttempts: 3 } }).retry_policy).toEqual({
      max_delivery_attempts: 3,
      event_time_to_live: 1440,
    });
  });

  it("set the batch sizes, with the defaults of the service", () => {
    expect(subscriptionWith({}).webhook_endpoint).toMatchObject({
      max_events_per_batch: 1,
      preferred_batch_size_in_kilobytes: 64,
    });
    const batching = { maxEventsPerBatch: 100, preferredBatchSizeInKilobytes: 512 };
    expect(subscriptionWith({ batching }).webhook_endpoint).toMatchObject({
      max_events_per_batch: 100,
      preferred_batch_size_in_kilobytes: 512,
    });
  });

  it("set fixed, secret and dynamic headers", () => {
    const deliveryProperties = [
      { headerName: "X-Shop", value: "north" },
      { headerName: "X-Key", value: "hidden", secret: true },
      { headerName: "X-System", sourceField: "data.system" },
    ];
    expect(subscriptionWith({ deliveryProperties }).delivery_property).toEqual([
      { header_name: "X-Shop", type: "Static", value: "north", secret: false },
      { header_name: "X-Key", type: "Static", value: "hidden", secret: true },
      { header_name: "X-System", type: "Dynamic", source_field: "data.system" },
    ]);
  });

  it("set labels", () => {
    expect(subscriptionWith({ labels: ["north"] }).labels).toEqual(["north"]);
  });
});
