/** Runs both services with a local Azure: `npm start`. */
import { LocalCloud } from "cloud-eventgrid-local";
import { createTimeline } from "../start/timeline.js";
import { subscribeWebhook, webhookBinding } from "../start/webhook-binding.js";
import { orders, shipping } from "./catalogue.js";
import { createShop } from "./shop.js";
import { createWarehouse } from "./warehouse.js";

const timeline = createTimeline();
const cloud = await LocalCloud.start();
const topic = cloud.topics.create({ name: "shop" });
const shopBinding = webhookBinding(cloud, topic, "shop");
const warehouseBinding = webhookBinding(cloud, topic, "warehouse");
const shop = createShop(shopBinding);
const warehouse = createWarehouse(warehouseBinding);

// Event Grid delivers to each service the types of its catalogue, as `events` of a binding does.
for (const { name, listener, clientId, events } of [
  { name: "shop", ...shop, clientId: shopBinding.cloudClientId, events: shipping },
  { name: "warehouse", ...warehouse, clientId: warehouseBinding.cloudClientId, events: orders },
]) {
  const { port } = await listener.listen();
  const filter = { includedEventTypes: events.types };
  await subscribeWebhook(cloud, topic, { name, port, clientId, filter });
}

await shop.place("17", "teapot");
await shop.place("18", "tea service");
timeline.line("shop", "2 orders placed");
await cloud.drain(); // also delivers what the warehouse published meanwhile
for (const [orderId, parcels] of shop.parcels) {
  timeline.line("shop", `order ${orderId} is packed, number of parcels: ${parcels}`);
}
timeline.line("cloud", `${cloud.deliveries().length} deliveries, each to one service`);

await Promise.all([shop.publisher.close(), warehouse.publisher.close()]);
await Promise.all([shop.listener.close(), warehouse.listener.close()]);
await cloud.close();
