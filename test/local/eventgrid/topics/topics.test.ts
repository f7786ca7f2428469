import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { errorOf, startTopic } from "./start-topic.js";

describe("a topic", () => {
  it("has its own endpoint and a resource ID", async () => {
    const { cloud, topic } = await startTopic();
    expect(topic.id).toBe(
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
    expect(topic.endpoint).toBe(`${cloud.httpOrigin}/orders.westeurope-1/api/events`);
    expect(cloud.topics.get(topic.id.toUpperCase())).toBe(topic);
  });

  it("is refused with an invalid name or one that is taken in its location", async () => {
    const { cloud } = await startTopic();
    const create = (name: string, location?: string) => () =>
      cloud.topics.create({ name, resourceGroupName: "other", location });
    expect(create("Orders")).toThrow("The topic 'Orders' already exists in westeurope");
    expect(create("o_1")).toThrow("Topic name 'o_1' is invalid.");
    expect(create("orders", "northeurope")).not.toThrow();
  });

  it("does not exist after its deletion", async () => {
    const { cloud, topic, post } = await startTopic();
    expect(cloud.topics.delete(topic.id)).toBe(true);
    expect(await errorOf(await post("{}"))).toMatchObject({
      status: 404,
      code: "ResourceNotFound",
    });
  });

  it("keeps the accepted events", async () => {
    const { topic, post } = await startTopic();
    await post(JSON.stringify(cloudEvent({ id: "a", subject: "orders/1" })));
    expect(topic.events()).toMatchObject([
      { id: "a", type: "shop.order.placed", source: "/shop", subject: "orders/1" },
    ]);
  });
});
