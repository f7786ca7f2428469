/** Places orders, one after the other, and publishes them. */
import { setTimeout } from "node:timers/promises";
import { bindingFromEnvironment, createPublisher } from "cloud-eventgrid-binding-runtime";
import { createOutbox } from "cloud-eventgrid-binding-runtime/postgres";
import { openDatabase } from "./database.js";
import { shop } from "./events.js";

const { DATABASE = "orders", ORDERS = "100" } = process.env;
const database = await openDatabase(DATABASE, "orders (id int primary key)");
const binding = bindingFromEnvironment("SHOP", { direction: "output" });
const publisher = createPublisher(binding, { events: shop, source: "/shop" });
// Short, so that the example need not wait for long after it has killed this process.
const outbox = createOutbox(publisher, { pool: database, leaseMs: 2_000, logger: false });
await outbox.start();

let isClosing = false;
process.once("SIGTERM", async () => {
  isClosing = true;
  await outbox.close();
  await publisher.close();
  await database.close();
});

type Row = { last: number | null };
const { rows } = await database.query<Row>("select max(id) as last from orders");
for (let id = (rows[0]?.last ?? 0) + 1; id <= Number(ORDERS) && !isClosing; id += 1) {
  await outbox.transaction(async (client) => {
    await client.query("insert into orders values ($1)", [id]);
    await outbox.add(client, { type: "shop.order.placed", data: { orderId: id } });
  });
  console.log(id);
  await setTimeout(20);
}
console.log(ORDERS);
