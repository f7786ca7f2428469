import type { InputSchema, LocalCloud, Topic } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, post, startCloud } from "../../support/cloud.js";

function publish(topic: Topic, event: object, type = "application/json") {
  return post(topic, JSON.stringify(event), type);
}

async function start(inputSchema: InputSchema, settings: object = {}) {
  const cloud = await startCloud();
  const domain = cloud.domains.create({ name: "shop", inputSchema, ...settings });
  const subscribe = (name: string, scope: string) =>
    cloud.eventSubscriptions.create({
      name,
      scope,
      destination: { endpointType: "StorageQueue", properties: { queueName: name } },
    });
  await subscribe("all-events", domain.id);
  await subscribe("orders-only", `${domain.id}/topics/orders`);
  return { cloud, domain };
}

async function delivered(cloud: LocalCloud) {
  await cloud.drain();
  return cloud.messages().map(({ subscription, event }) => `${subscription} ${event.id}`);
}

const DOMAIN =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local/providers/Microsoft.EventGrid/domains/shop";

const eventGridEvent = {
  id: "1",
  subject: "17",
  eventType: "placed",
  dataVersion: "1",
  eventTime: "2026-01-31T07:00:00Z",
  data: {},
};

describe("a domain", () => {
  it("is called a domain when its name is refused", async () => {
    const { cloud } = await start("EventGridSchema");
    const create = (name: string) => () => cloud.domains.create({ name });
    expect(create("shop")).toThrow("The domain 'shop' already exists in westeurope");
    expect(create("s_1")).toThrow("The domain name 's_1' is invalid.");
  });

  it("delivers an event of the Event Grid schema by the full resource ID of its topic", async () => {
    const { cloud, domain } = await start("EventGridSchema");
    const events = [`${DOMAIN}/topics/orders`, "returns"].map((each, id) => ({
      ...eventGridEvent,
      id: `${id}`,
      topic: each,
    }));
    expect((await publish(domain, events)).status).toBe(200);
    expect((await delivered(cloud)).sort()).toEqual([
      "all-events 0",
      "all-events 1",
      "orders-only 0",
    ]);
    expect(JSON.parse(cloud.messages()[0]?.body ?? "")).toMatchObject({
      topic: `${DOMAIN}/topics/orders`,
      metadataVersion: "1",
    });
  });

  it("changes nothing in an event of the Event Grid schema but its topic", async () => {
    const { cloud, domain } = await start("EventGridSchema");
    const textOf = (topic: string) =>
      JSON.stringify({ ...eventGridEvent, topic, metadataVersion: "1" }).replace(
        "{}",
        '{"total":12345678901234567890.10}',
      );
    await post(domain, `[${textOf("returns")}]`, "application/json");
    await cloud.drain();
    expect(cloud.messages().map(({ body }) => body)).toEqual([textOf(`${DOMAIN}/topics/returns`)]);
  });

  it("delivers a CloudEvent by its source", async () => {
    const { cloud, domain } = await start("CloudEventSchemaV1_0");
    const event = cloudEvent({ source: "orders" });
    await publish(domain, event, "application/cloudevents+json");
    await publish(domain, { ...event, id: "2", source: "other" }, "application/cloudevents+json");
    expect((await delivered(cloud)).sort()).toEqual([
      "all-events 1",
      "all-events 2",
      "orders-only 1",
    ]);
  });

  it("delivers a custom event by the field that the mapping names", async () => {
    const inputSchemaMapping = { topic: { sourceField: "area" }, id: { sourceField: "id" } };
    const { cloud, domain } = await start("CustomEventSchema", { inputSchemaMapping });
    const text = '[{"id":12345678901234567890,"area":"orders"}]';
    expect((await post(domain, text, "application/json")).status).toBe(200);
    expect((await delivered(cloud)).sort()).toEqual([
      "all-events 12345678901234567890",
      "orders-only 12345678901234567890",
    ]);
    expect((await publish(domain, [{ id: "2" }])).status).toBe(400);
  });

  it("refuses an event that chooses no topic", async () => {
    const { domain } = await start("EventGridSchema");
    const response = await publish(domain, [eventGridEvent]);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      "Required property 'topic' needs to either be a full resource id",
    );
  });

  it.each([
    "/subscriptions/x/resourceGroups/local/providers/Microsoft.EventGrid/domains/other/topics/orders",
    "https://shop.example.com/orders",
  ])("refuses the topic %s, which is not its own", async (topic) => {
    const { cloud, domain } = await start("EventGridSchema");
    expect((await publish(domain, [{ ...eventGridEvent, topic }])).status).toBe(400);
    const cloudEvents = cloud.domains.create({ name: "shop-cloud-events" });
    const event = cloudEvent({ source: topic });
    const response = await publish(cloudEvents, event, "application/cloudevents+json");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`Found: ${topic}`);
    expect(await delivered(cloud)).toEqual([]);
  });

  it("has a topic from its first event subscription to its last", async () => {
    const { cloud, domain } = await start("EventGridSchema");
    expect(domain.domainTopics()).toEqual(["orders"]);
    cloud.eventSubscriptions.delete(`${domain.id}/topics/orders`, "orders-only");
    expect(domain.domainTopics()).toEqual([]);
  });

  it("is deleted with the event subscriptions of its topics", async () => {
    const { cloud, domain } = await start("EventGridSchema");
    cloud.domains.delete(domain.id);
    expect(cloud.eventSubscriptions.list()).toEqual([]);
    expect((await publish(domain, [eventGridEvent])).status).toBe(404);
  });
});
