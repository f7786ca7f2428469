import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, expectTypeOf, it } from "vitest";

const shop = defineEvents({
  "shop.order.placed": type<{ orderId: string }>(),
  "shop.order.sold": type<number>(),
});

describe("the events of a topic", () => {
  it("have their payload, which a catalogue types", async () => {
    await using cloud = await LocalCloud.start();
    const topic = cloud.topics.create({ name: "shop" });
    const { endpoint: topicEndpoint, accessKey } = topic;
    await using publisher = createPublisher({ topicEndpoint, accessKey }, { source: "/shop" });
    await publisher.create([
      { type: "shop.order.placed", data: { orderId: "17" } },
      { type: "shop.picture", data: Buffer.from([0, 255]) },
      { type: "shop.closed" },
    ]);
    expect(topic.events().map(({ data }) => data)).toEqual([
      { orderId: "17" },
      Buffer.from([0, 255]),
      undefined,
    ]);
    expectTypeOf(topic.events()[0]?.data).toEqualTypeOf<unknown>();

    const [placed, ...others] = topic.events(shop);
    expect(others).toEqual([]);
    if (placed?.type !== "shop.order.placed") throw new Error("no order was placed");
    expectTypeOf(placed.data).toEqualTypeOf<{ orderId: string }>();
    expect(placed.data.orderId).toBe("17");
  });

  it("have the payload of Event Grid's schema, and are it in a custom schema", async () => {
    await using cloud = await LocalCloud.start();
    const publish = async (name: string, inputSchema: "EventGridSchema" | "CustomEventSchema") => {
      const topic = cloud.topics.create({ name, inputSchema });
      const event = {
        id: "1",
        subject: "orders/17",
        eventType: "placed",
        eventTime: "2026-01-31T07:12:03Z",
        data: { orderId: "17" },
        dataVersion: "1",
      };
      const response = await fetch(topic.endpoint, {
        method: "POST",
        headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/json" },
        body: JSON.stringify([event]),
      });
      expect(response.status).toBe(200);
      return [event, topic.events()[0]?.data];
    };
    const [event, data] = await publish("shop", "EventGridSchema");
    expect(data).toEqual(Object(event).data);
    const [custom, whole] = await publish("custom", "CustomEventSchema");
    expect(whole).toEqual(custom);
  });

  it("have their payload in topics of namespaces, too", async () => {
    await using cloud = await LocalCloud.start();
    const namespace = cloud.namespaces.create({ name: "shop" });
    const topic = namespace.topics.create({ name: "orders" });
    await using publisher = createPublisher(
      {
        namespaceEndpoint: namespace.endpoint,
        topicName: "orders",
        publishWith: "accessKey",
        accessKey: namespace.accessKey,
      },
      { events: shop, source: "/shop" },
    );
    await publisher.create({ type: "shop.order.sold", data: 17 });
    expect(topic.events(shop)).toMatchObject([{ type: "shop.order.sold", data: 17 }]);
  });
});
