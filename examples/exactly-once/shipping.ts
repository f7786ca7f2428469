/** Ships each order once. */
import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { createInbox } from "cloud-eventgrid-binding-runtime/postgres";
import { openDatabase } from "./database.js";
import { shop } from "./events.js";

const { DATABASE = "shipping" } = process.env;
// Nothing in this table prevents a second shipment of an order.
const database = await openDatabase(DATABASE, "shipments (order_id int)");
const inbox = createInbox({ pool: database, consumer: "shipping", logger: false });
await inbox.start();

const listener = createListener(bindingFromEnvironment("SHIPPING", { direction: "input" }), {
  events: shop,
  on: {
    "shop.order.placed": inbox.handler(async ({ data }, { client }) => {
      await client.query("insert into shipments values ($1)", [data.orderId]);
    }),
  },
  logger: false,
});
process.once("SIGTERM", async () => {
  await listener.close();
  await inbox.close();
  await database.close();
});
await listener.listen();
console.log(0);
