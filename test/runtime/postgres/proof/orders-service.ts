import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { createOutbox } from "../../../../runtime/src/postgres/index.js";
import { createPublisher } from "../../../../runtime/src/publisher/index.js";

/** A service that places its orders, which a killed process continues, and publishes them. */
export interface OrdersSetting {
  readonly database: string;
  /** Of a topic or of a namespace's topic. */
  readonly binding: object;
  /** Its orders begin with this one. */
  readonly first: number;
  readonly step: number;
  readonly orders: number;
  readonly pauseMs: number;
  readonly port: number;
}

const setting: OrdersSetting = JSON.parse(process.env.SETTING ?? "");
const pool = new pg.Pool({ connectionString: setting.database, max: 4 });
pool.on("error", () => {});
const publisher = createPublisher(setting.binding as Parameters<typeof createPublisher>[0], {
  source: "/orders",
  retry: { firstDelayMs: 50 },
});
const outbox = createOutbox(publisher, { pool, leaseMs: 5_000, pollMs: 200, logger: false });

function place(id: number): Promise<void> {
  return outbox.transaction(async (client) => {
    await client.query("insert into orders values ($1)", [id]);
    await outbox.add(client, { type: "shop.order.placed", data: { orderId: id } });
    // Some transactions fail in the end: their events must not exist.
    if (Math.random() < 0.05) throw new Error("the customer has cancelled");
  });
}

/** The database may be restarting; a failed commit may have happened nonetheless. */
async function untilSuccess(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await work().then(
      () => undefined,
      (problem) => problem,
    );
    if (error === undefined || error.code === "23505") return;
    await setTimeout(50);
  }
}

await untilSuccess(() => outbox.start());
createServer((_, response) => response.end()).listen(setting.port, "127.0.0.1");
let next = setting.first;
await untilSuccess(async () => {
  const placed = "select max(id) + $2::int as next from orders where id % $2 = $1";
  const { rows } = await pool.query(placed, [setting.first, setting.step]);
  next = rows[0]?.next ?? setting.first;
});
for (let id = next; id < setting.orders; id += setting.step) {
  await untilSuccess(() => place(id));
  await setTimeout(setting.pauseMs * 2 * Math.random());
}
