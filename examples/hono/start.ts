/** Runs the app with a local Azure: `npm start`. */
import { once } from "node:events";
import { serve } from "@hono/node-server";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { freePort } from "../start/free-port.js";
import { createTimeline } from "../start/timeline.js";
import { subscribeWebhook, webhookBinding } from "../start/webhook-binding.js";
import { buildApp, shop } from "./app.js";

const timeline = createTimeline();
const cloud = await LocalCloud.start();
const topic = cloud.topics.create({ name: "orders" });
const binding = webhookBinding(cloud, topic, "orders webhook");

const { app, webhook } = buildApp(binding);
const port = await freePort();
// Deliveries may have more headers than Node accepts by default.
const server = serve({ fetch: app.fetch, port, serverOptions: { maxHeaderSize: 65_536 } });
await once(server, "listening");
await subscribeWebhook(cloud, topic, { port, name: "orders", clientId: binding.cloudClientId });
timeline.line("hono", "consents to deliveries");

const publisher = createPublisher(binding, { events: shop, source: "/shop" });
await publisher.create({ type: "shop.order.placed", data: { orderId: "17", article: "teapot" } });
await cloud.drain();
const response = await fetch(`http://127.0.0.1:${port}/orders/17`);
timeline.line("GET", `/orders/17: ${await response.text()}`);
const anonymous = await fetch(`http://127.0.0.1:${port}/api/events`, {
  method: "POST",
  headers: { "content-type": "application/cloudevents+json" },
  body: "{}",
});
timeline.line("POST", `/api/events without a token: ${anonymous.status}`);

await publisher.close();
await webhook.close();
server.close();
await cloud.close();
