import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { createService } from "./service.js";

it("publishes an event that the topic accepts", async () => {
  await using cloud = await LocalCloud.start({ clock: "stepped" });
  const topic = cloud.topics.create({ name: "orders" });
  const application = cloud.applications.create({ displayName: "orders webhook" });
  const service = createService({
    env: {
      ORDERS_DIRECTION: "input, output",
      ORDERS_TENANT_ID: cloud.tenantId,
      ORDERS_CLIENT_ID: application.clientId,
      ORDERS_AUTHORITY_HOST: cloud.authorityHost,
      ORDERS_HANDSHAKE_PORT: "9000",
      ORDERS_WEBHOOK_PATH: "/api/events",
      ORDERS_TOPIC_ENDPOINT: topic.endpoint,
      ORDERS_ACCESS_KEY: topic.accessKey,
    },
    port: 0, // any free port
    drainLagMs: 0, // close at once
  });
  await service.start();
  await service.publisher.create({ type: "com.example.orders.created", data: { id: "1" } });
  await service.stop();

  expect(topic.events()).toMatchObject([{ type: "com.example.orders.created" }]);
});
