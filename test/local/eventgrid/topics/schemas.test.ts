import {
  AzureKeyCredential,
  EventGridDeserializer,
  EventGridPublisherClient,
} from "@azure/eventgrid";
import type { DeliverySchema, InputSchema, LocalCloud, Topic } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { BATCH, PUBLIC_URL, post as postTo, startHooked } from "../../support/cloud.js";
import { confirmValidation, type ReceivedRequest, type Webhook } from "../../support/webhook.js";

const TIME = "2026-01-31T07:00:00Z";

/** Extracted as text, because parsing would lose digits. */
const DATA = '{"total":12345678901234567890.10}';

const eventGridEvent = {
  id: "1",
  subject: "orders/1",
  eventType: "shop.order.placed",
  eventTime: TIME,
  dataVersion: "1.0",
};
const orderText = '{"number":"1","kind":"placed","total":12345678901234567890.10}';

const texts: Readonly<Record<InputSchema, string>> = {
  CloudEventSchemaV1_0: `[{"specversion":"1.0","id":"1","source":"/shop","type":"shop.order.placed","data":${DATA}}]`,
  EventGridSchema: `[${JSON.stringify(eventGridEvent).slice(0, -1)},"data":${DATA}}]`,
  CustomEventSchema: `[${orderText}]`,
};

interface Schemas {
  readonly inputSchema: InputSchema;
  readonly deliverySchema?: DeliverySchema | undefined;
}

async function startWithSchemas({ inputSchema, deliverySchema }: Schemas) {
  const { cloud, webhook } = await startHooked();
  webhook.answer = confirmValidation;
  const topic = cloud.topics.create({
    name: "orders",
    inputSchema,
    inputSchemaMapping: {
      id: { sourceField: "number" },
      eventTime: { sourceField: "at" },
      eventType: { sourceField: "kind" },
      subject: { sourceField: "path", defaultValue: "orders" },
    },
  });
  await cloud.eventSubscriptions.create({
    name: "orders-sub",
    scope: topic.id,
    endpointUrl: PUBLIC_URL,
    eventDeliverySchema: deliverySchema,
  });
  return { cloud, topic, webhook };
}

function post(topic: Topic, body: string): Promise<Response> {
  const type = topic.inputSchema === "CloudEventSchemaV1_0" ? BATCH : "application/json";
  return postTo(topic, body, type);
}

async function delivered(cloud: LocalCloud, webhook: Webhook): Promise<ReceivedRequest> {
  await cloud.drain();
  const delivery = webhook.deliveries.find(
    ({ headers }) => headers["aeg-event-type"] === "Notification",
  );
  if (!delivery) throw new Error("Nothing was delivered");
  return delivery;
}

it("delivery schemas can be the Event Grid schema for events of Azure services", async () => {
  const { cloud, webhook } = await startWithSchemas({ inputSchema: "EventGridSchema" });
  const scope = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Cache/Redis/cache`;
  await cloud.eventSubscriptions.create({
    name: "cache-sub",
    scope,
    endpointUrl: PUBLIC_URL,
    eventDeliverySchema: "EventGridSchema",
    filter: {
      advancedFilters: [{ key: "topic", operatorType: "StringContains", values: ["Redis"] }],
    },
  });
  await cloud.emit("Microsoft.Cache.PatchingCompleted", { scope, id: "1", time: TIME });
  const { body } = await delivered(cloud, webhook);
  expect(JSON.parse(body)).toEqual([
    {
      topic: scope,
      subject: "PatchingCompleted",
      eventType: "Microsoft.Cache.PatchingCompleted",
      id: "1",
      eventTime: TIME,
      data: { name: "PatchingCompleted", timestamp: TIME, status: "Succeeded" },
      dataVersion: "",
      metadataVersion: "1",
    },
  ]);
});

describe("an event in the Event Grid schema", () => {
  it("gets what it has left out or empty, and each field once", async () => {
    const { topic } = await startWithSchemas({ inputSchema: "EventGridSchema" });
    const { dataVersion: _, ...event } = eventGridEvent;
    // The data keeps its text.
    const textOf = (written: object) => JSON.stringify(written).replace('"DATA"', DATA);
    const written = { topic: "", ...event, metadataVersion: null, data: "DATA" };
    expect((await post(topic, `[${textOf(written)}]`)).status).toBe(200);
    const complete = { ...written, topic: topic.id, metadataVersion: "1", dataVersion: "" };
    expect(topic.events().map(({ json }) => json)).toEqual([textOf(complete)]);
  });

  it("is delivered with topic and metadata version, in an array", async () => {
    const { cloud, topic, webhook } = await startWithSchemas({ inputSchema: "EventGridSchema" });
    expect((await post(topic, texts.EventGridSchema)).status).toBe(200);
    const { body, headers } = await delivered(cloud, webhook);
    expect(body).toBe(
      `${texts.EventGridSchema.slice(0, -2)},"topic":"${topic.id}","metadataVersion":"1"}]`,
    );
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "aeg-data-version": "1.0",
      "aeg-metadata-version": "1",
    });
  });

  it("is delivered as a CloudEvent on request, with the exact text of its data", async () => {
    const { cloud, topic, webhook } = await startWithSchemas({
      inputSchema: "EventGridSchema",
      deliverySchema: "CloudEventSchemaV1_0",
    });
    await post(topic, texts.EventGridSchema);
    const { body, headers } = await delivered(cloud, webhook);
    expect(body).toBe(
      `{"specversion":"1.0","id":"1","source":"${topic.id}","type":"shop.order.placed","subject":"orders/1","time":"${TIME}","dataschema":"#1.0","data":${DATA}}`,
    );
    expect(headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
  });

  it.each([
    ["a number for a data version", { dataVersion: 1 }, "'dataVersion' must be a string"],
    ["a number for a subject", { subject: 1 }, "'subject' must be a string"],
    ["an invalid time", { eventTime: "yesterday" }, "eventTime must be a timestamp"],
  ])("is refused with %s", async (_, attributes, message) => {
    const { topic } = await startWithSchemas({ inputSchema: "EventGridSchema" });
    const response = await post(topic, JSON.stringify([{ ...eventGridEvent, ...attributes }]));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
  });
});

it.each([
  ["no value that the mapping requires", { number: "1" }, "it has no value for 'eventType'"],
  ["an object as such a value", { kind: {} }, "it has no value for 'eventType'"],
  ["an invalid time", { kind: "placed", at: "yesterday" }, "eventTime must be a timestamp"],
])("an event in a custom schema is refused with %s", async (_, event, message) => {
  const { topic } = await startWithSchemas({ inputSchema: "CustomEventSchema" });
  const response = await post(topic, JSON.stringify([event]));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
});

describe("EventGridPublisherClient in three schemas", () => {
  const start = async <Schema extends "CloudEvent" | "EventGrid" | "Custom">(
    inputSchema: InputSchema,
    schema: Schema,
  ) => {
    const { cloud, topic, webhook } = await startWithSchemas({ inputSchema });
    const key = new AzureKeyCredential(topic.accessKey);
    const options = { allowInsecureConnection: true };
    const client = new EventGridPublisherClient(topic.endpoint, schema, key, options);
    return { topic, client, body: async () => (await delivered(cloud, webhook)).body };
  };

  it("sends CloudEvents that EventGridDeserializer reads from the delivery", async () => {
    const { client, body } = await start("CloudEventSchemaV1_0", "CloudEvent");
    await client.send([{ type: "placed", source: "/shop", data: { total: 1 } }]);
    const [event] = await new EventGridDeserializer().deserializeCloudEvents(
      JSON.parse(await body()),
    );
    expect(event).toMatchObject({ type: "placed", data: { total: 1 } });
  });

  it("sends Event Grid events that EventGridDeserializer reads from the delivery", async () => {
    const { client, topic, body } = await start("EventGridSchema", "EventGrid");
    await client.send([
      { eventType: "placed", subject: "orders/1", dataVersion: "1.0", data: { total: 1 } },
    ]);
    const [event] = await new EventGridDeserializer().deserializeEventGridEvents(await body());
    expect(event).toMatchObject({ eventType: "placed", topic: topic.id, data: { total: 1 } });
  });

  it("sends events in a custom schema", async () => {
    const { client, body } = await start("CustomEventSchema", "Custom");
    await client.send([{ number: "1", kind: "placed" }]);
    expect(JSON.parse(await body())).toEqual([{ number: "1", kind: "placed" }]);
  });
});
