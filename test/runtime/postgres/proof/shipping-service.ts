import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { createListener } from "../../../../runtime/src/listener/index.js";
import type { Log } from "../../../../runtime/src/observability.js";
import { createInbox } from "../../../../runtime/src/postgres/index.js";
import { createReceiver } from "../../../../runtime/src/receiver/index.js";

/** A service that ships each order: with a listener, or with a receiver if there is a namespace. */
export interface ShippingSetting {
  readonly database: string;
  readonly listen: Parameters<typeof createListener>[0] | undefined;
  readonly pull: Parameters<typeof createReceiver>[0] | undefined;
  readonly port: number;
}

const setting: ShippingSetting = JSON.parse(process.env.SETTING ?? "");
const pool = new pg.Pool({ connectionString: setting.database, max: 20 });
pool.on("error", () => {});

/** Writes a line for each event that the inbox knew. */
const debug = (_: object | string, message?: unknown) => {
  if ((message ?? _) === "event was handled before") console.log("suppressed");
};
const log: Log = { debug, info() {}, warn() {}, error() {}, child: () => log };

const inbox = createInbox({ pool, consumer: "shipping", logger: false });
const on = {
  "shop.order.placed": inbox.handler(async ({ data }, { client }) => {
    const { orderId } = data as { orderId: number };
    // No constraint of this table prevents a second shipment.
    await client.query("insert into shipments values ($1)", [orderId]);
    await setTimeout(Math.random() * 10);
    if (Math.random() < 0.02) throw new Error("the carrier does not answer");
    await client.query("update stock set shipped = shipped + 1 where shelf = $1", [orderId % 50]);
  }),
};
if (setting.pull) {
  const receiver = createReceiver(setting.pull, {
    on,
    maxWaitSeconds: 10,
    retryDelaysSeconds: [0, 10],
    logger: log,
    health: { port: setting.port, host: "127.0.0.1" },
  });
  await receiver.start();
} else if (setting.listen) {
  const listener = createListener(setting.listen, { on, logger: log, host: "127.0.0.1" });
  await listener.listen();
}
