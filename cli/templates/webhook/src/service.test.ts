import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it, onTestFinished } from "vitest";
import { createService } from "./service.js";

it("handles an event that Event Grid delivers", async () => {
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
      ORDERS_TOPIC_ENDPOINT: topic.endpoint, // if both
      ORDERS_ACCESS_KEY: topic.accessKey, // if both
    },
    port: 0, // any free port
    drainLagMs: 0, // close at once
  });
  const { port } = new URL(await service.start());
  onTestFinished(() => service.stop());
  cloud.ingress.route("https://orders.example.com", `http://127.0.0.1:${port}`);
  await cloud.eventSubscriptions.create({
    name: "orders-webhook",
    scope: topic.id,
    endpointUrl: "https://orders.example.com/api/events",
    clientId: application.clientId,
  });

  const event = { type: "com.example.orders.created", source: "/test", data: { id: "1" } };
  const response = await fetch(topic.endpoint, {
    method: "POST",
    headers: {
      "aeg-sas-key": topic.accessKey,
      "content-type": "application/cloudevents+json",
    },
    body: JSON.stringify({ specversion: "1.0", id: "1", ...event }),
  });
  expect(response.status).toBe(200);
  await cloud.drain(); // moves the clock to the delivery

  expect(cloud.deliveries()).toMatchObject([{ outcome: "delivered" }]);
});
