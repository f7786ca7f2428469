import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { startTopic } from "./start-topic.js";

describe("a topic", () => {
  it("has its own endpoint and a resource ID", async () => {
    const { cloud, topic } = await startTopic();
    expect(topic.id).toBe(
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
    expect(topic.endpoint).toBe(`${cloud.httpOrigin}/orders.westeurope-1/api/events`);
    expect(cloud.topics.get(topic.id.toUpperCase())).toBe(topic);
  });

  it("keeps the accepted events", async () => {
    const { topic, post } = await startTopic();
    await post(JSON.stringify(cloudEvent({ id: "a", subject: "orders/1" })));
    expect(topic.events()).toMatchObject([
      { id: "a", type: "shop.order.placed", source: "/shop", subject: "orders/1" },
    ]);
  });
});
