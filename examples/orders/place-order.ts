/** Places one order: `npx tsx examples/orders/place-order.ts ORDER-ID ARTICLE` */
import { bindingFromEnvironment, createPublisher } from "cloud-eventgrid-binding-runtime";
import { orders } from "./events.js";

const [orderId, article] = process.argv.slice(2);
if (!orderId || !article) throw new Error("usage: place-order.ts ORDER-ID ARTICLE");

const publisher = createPublisher(bindingFromEnvironment("ORDERS", { direction: "output" }), {
  events: orders,
  source: "/shop/counter",
});
const [id] = await publisher.create({
  type: "shop.order.placed",
  subject: `orders/${orderId}`,
  data: { orderId, article },
});
await publisher.close();
console.log(`order ${orderId} was accepted as event ${id}`);
