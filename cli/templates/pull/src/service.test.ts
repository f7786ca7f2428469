import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it, onTestFinished } from "vitest";
import { createService } from "./service.js";

it("handles an event that it pulls", async () => {
  await using cloud = await LocalCloud.start();
  const namespace = cloud.namespaces.create({ name: "orders" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "orders" });
  const service = createService({
    env: {
      ORDERS_NAMESPACE_ENDPOINT: namespace.endpoint,
      ORDERS_TOPIC_NAME: "orders",
      ORDERS_SUBSCRIPTION_NAME: "orders",
      ORDERS_RECEIVE_WITH: "accessKey",
      ORDERS_ACCESS_KEY: namespace.accessKey,
    },
    port: 0, // any free port
  });
  await service.start();
  onTestFinished(() => service.stop());

  const event = { type: "com.example.orders.created", source: "/test", data: { id: "1" } };
  const response = await fetch(
    `${namespace.endpoint}/topics/orders:publish?api-version=2024-06-01`,
    {
      method: "POST",
      headers: {
        authorization: `SharedAccessKey ${namespace.accessKey}`,
        "content-type": "application/cloudevents+json",
      },
      body: JSON.stringify({ specversion: "1.0", id: "1", ...event }),
    },
  );
  expect(response.status).toBe(200);

  await expect.poll(() => queue.counts, { timeout: 20_000 }).toMatchObject({ acknowledged: 1 });
});
