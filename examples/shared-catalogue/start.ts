/** Runs both services with a local Azure: `npm start`. */
import type { EventCatalogue } from "cloud-eventgrid-binding-runtime/events";
import type { Listener } from "cloud-eventgrid-binding-runtime/listener";
import { LocalCloud, type Topic } from "cloud-eventgrid-local";
import { createTimeline } from "../start/timeline.js";
import { webhookBinding } from "../start/webhook-binding.js";
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

await subscribe("shop", shop.listener, shopBinding.cloudClientId, shipping);
await subscribe("warehouse", warehouse.listener, warehouseBinding.cloudClientId, orders);

await shop.place("17", "teapot");
await shop.place("18", "tea service");
timeline.line("shop", "2 orders placed");
await cloud.drain(); // also delivers what the warehouse published meanwhile
for (const [orderId, parcels] of shop.parcels) {
  timeline.line("shop", `order ${orderId} was packed into ${parcels} parcels`);
}
timeline.line("cloud", `${cloud.deliveries().length} deliveries, each to one service`);

await Promise.all([shop.publisher.close(), warehouse.publisher.close()]);
await Promise.all([shop.listener.close(), warehouse.listener.close()]);
await cloud.close();

/** Lets Event Grid deliver the types of a catalogue to a service, as `events` of a binding does. */
async function subscribe(
  name: string,
  listener: Listener,
  clientId: string,
  events: EventCatalogue,
  scope: Topic = topic,
): Promise<void> {
  const { port } = await listener.listen();
  const origin = `https://${name}.example.com`;
  cloud.ingress.route(origin, `http://127.0.0.1:${port}`);
  await cloud.eventSubscriptions.create({
    name: `to-${name}`,
    scope: scope.id,
    endpointUrl: `${origin}/api/events`,
    clientId,
    filter: { includedEventTypes: events.types },
  });
}
