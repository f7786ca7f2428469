import type { CloudEvent } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it, onTestFinished } from "vitest";
import { startLocalListener } from "../local-listener.js";
import { anEvent, startService } from "../service.js";

const JSON_TYPE = "application/json; charset=utf-8";
const TOPIC = "/subscriptions/1/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

function eventGridEvent(overrides: Record<string, unknown> = {}) {
  return {
    topic: TOPIC,
    id: "17",
    eventType: "shop.order.placed",
    subject: "orders/17",
    eventTime: "2026-01-01T00:00:00Z",
    data: { orderId: "17" },
    dataVersion: "2",
    metadataVersion: "1",
    ...overrides,
  };
}

const validation = eventGridEvent({
  eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
  subject: "",
  data: { validationCode: "512d38b6", validationUrl: "https://rp.eventgrid.azure.net/validate" },
});
const asValidation = { "aeg-event-type": "SubscriptionValidation" };

describe('a listener with the schema "eventgrid"', () => {
  it("passes an event on as the CloudEvent that Event Grid would deliver", async () => {
    const { deliver, handled } = await startService({ schema: "eventgrid" });
    const response = await deliver([eventGridEvent()], { contentType: JSON_TYPE });
    expect(response.status).toBe(200);
    expect(handled.map(({ event }) => event)).toEqual([
      {
        specversion: "1.0",
        id: "17",
        source: TOPIC,
        type: "shop.order.placed",
        subject: "orders/17",
        time: "2026-01-01T00:00:00Z",
        dataschema: "#2",
        data: { orderId: "17" },
      },
    ]);
  });

  it("accepts batches, and CloudEvents besides", async () => {
    const { deliver, ids } = await startService({ schema: "eventgrid" });
    const events = [eventGridEvent({ id: "1" }), eventGridEvent({ id: "2" }), anEvent({ id: "3" })];
    expect((await deliver(events, { contentType: "application/json" })).status).toBe(200);
    expect((await deliver(anEvent({ id: "4" }))).status).toBe(200);
    expect(ids()).toEqual(["1", "2", "3", "4"]);
  });

  it("rejects an event without a topic, an ID or a type", async () => {
    const { deliver, ids } = await startService({ schema: "eventgrid" });
    for (const name of ["topic", "id", "eventType"]) {
      const event = eventGridEvent({ [name]: undefined });
      expect((await deliver([event], { contentType: JSON_TYPE })).status).toBe(400);
    }
    expect(ids()).toEqual([]);
  });

  it("answers a validation event with its code, with 200 and without calling a handler", async () => {
    const { deliver, handled } = await startService({ schema: "eventgrid" });
    const response = await deliver([validation], { contentType: JSON_TYPE, headers: asValidation });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ validationResponse: "512d38b6" });
    expect(handled).toEqual([]);
  });

  it("demands a token for a validation event", async () => {
    const { deliver } = await startService({ schema: "eventgrid" });
    const init = { contentType: JSON_TYPE, headers: asValidation, token: null };
    const response = await deliver([validation], init);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("512d38b6");
  });

  it("rejects a validation event without a code", async () => {
    const { deliver } = await startService({ schema: "eventgrid" });
    const init = { contentType: JSON_TYPE, headers: asValidation };
    expect((await deliver([eventGridEvent()], init)).status).toBe(400);
  });

  it("receives the events of a subscription whose schema is Event Grid's", async () => {
    const cloud = await LocalCloud.start();
    onTestFinished(() => cloud.close());
    const topic = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
    const handled: CloudEvent[] = [];
    const { listener, subscription } = await startLocalListener(cloud, {
      schema: "eventgrid",
      on: { "*": (event) => void handled.push(event) },
    });
    onTestFinished(() => listener.close());
    const { provisioningState } = await cloud.eventSubscriptions.create({
      name: "orders",
      scope: topic.id,
      eventDeliverySchema: "EventGridSchema",
      ...subscription,
    });
    expect(provisioningState).toBe("Succeeded");
    const { topic: _, ...published } = eventGridEvent();
    const response = await fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/json" },
      body: JSON.stringify([published]),
    });
    expect(response.status).toBe(200);
    await cloud.drain();
    expect(handled).toMatchObject([{ type: "shop.order.placed", source: topic.id }]);
  });
});

describe("a listener with the schema of CloudEvents", () => {
  it("refuses events of Event Grid's own schema", async () => {
    const { deliver, ids } = await startService();
    expect((await deliver([eventGridEvent()], { contentType: JSON_TYPE })).status).toBe(415);
    expect(ids()).toEqual([]);
  });
});
