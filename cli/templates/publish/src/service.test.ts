import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { createService } from "./service.js";

it("publishes an event that the topic accepts", async () => {
  await using cloud = await LocalCloud.start({ clock: "stepped" });
  const topic = cloud.topics.create({ name: "orders" });
  const { publisher } = createService({
    env: {
      ORDERS_DIRECTION: "output",
      ORDERS_TOPIC_ENDPOINT: topic.endpoint,
      ORDERS_ACCESS_KEY: topic.accessKey,
    },
  });

  await publisher.create({ type: "com.example.orders.created", data: { id: "1" } });

  await publisher.close();
  expect(topic.events()).toMatchObject([{ type: "com.example.orders.created" }]);
});
