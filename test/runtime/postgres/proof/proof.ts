import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { LocalCloud } from "cloud-eventgrid-local";
import pg from "pg";
import { freePort } from "../../../../examples/start/free-port.js";
import { PostgresServer } from "../../../support/postgres-server.js";
import { Replica } from "../../handling/store/replicas.js";
import { namespaceGrid, webhookGrid } from "./grids.js";
import type { OrdersSetting } from "./orders-service.js";

const REPLICAS = 2;
const KILL_INTERVAL_MS = 3_000;
const DATABASE_CRASHES = 3;
const FAULT_INTERVAL_MS = 700;

/** What is proved, and what happened meanwhile. */
export interface Findings {
  readonly orders: number;
  readonly "orders with exactly one shipment": number;
  readonly "orders without a shipment": number;
  readonly "orders with several shipments": number;
  readonly "events of orders that do not exist": number;
  readonly "processes killed": number;
  readonly "database crashes": number;
  readonly "publishing: responses lost": number;
  readonly "events published twice": number;
  readonly "deliveries beyond the first": number;
  readonly "duplicates suppressed by the inbox": number;
  readonly seconds: number;
}

/**
 * Orders, stored with their events by two replicas, are shipped by two replicas, while processes are
 * killed, PostgreSQL crashes, and Event Grid refuses, throttles, loses responses and delivers twice.
 */
export async function prove(orders: number, pull: boolean): Promise<Findings> {
  const startedAt = performance.now();
  await using server = await PostgresServer.start();
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on("error", () => {});
  await pool.query(`${tablesSql()}
    create table orders (id int primary key);
    create table shipments (order_id int);
    create table stock (shelf int primary key, shipped int not null);
    insert into stock select n, 0 from generate_series(0, 49) n;`);
  const cloud = await LocalCloud.start({ clock: { scale: pull ? 12 : 150 }, history: 1_000_000 });
  const grid = pull ? await namespaceGrid(cloud) : await webhookGrid(cloud);
  const replica = (module: string, port: number, setting: object) =>
    new Replica(join(import.meta.dirname, `${module}-service.ts`), port, {
      SETTING: JSON.stringify({ database: server.url, port, ...setting }),
    });
  const shipping: Replica[] = [];
  const ordering: Replica[] = [];
  for (let first = 0; first < REPLICAS; first += 1) {
    const port = await freePort();
    const listen = grid.listen && { ...grid.listen, handshakePort: String(port) };
    shipping.push(
      replica("shipping", port, {
        listen,
        pull: grid.pull,
      }),
    );
    const setting: Omit<OrdersSetting, "database" | "port"> = {
      binding: grid.output,
      first,
      step: REPLICAS,
      orders,
      // A run of 10,000 orders takes two minutes or more.
      pauseMs: Math.min(30, 240_000 / orders),
    };
    ordering.push(replica("orders", await freePort(), setting));
  }
  const services = [...shipping, ...ordering];
  const count = async (sql: string) => Number((await pool.query(sql)).rows[0]?.count);
  const countedOrders = () => count("select count(*) from orders").catch(() => 0);
  let isOver = false;
  let kills = 0;
  const disturbances = [
    async () => {
      const starting = new Map<Replica, Promise<unknown>>();
      while (!isOver) {
        await setTimeout(KILL_INTERVAL_MS);
        const running = services.filter((service) => !starting.has(service));
        const victim = running[Math.floor(Math.random() * running.length)];
        if (victim === undefined) continue;
        await victim.end("SIGKILL");
        kills += 1;
        starting.set(
          victim,
          victim.start().finally(() => starting.delete(victim)),
        );
      }
      await Promise.all(starting.values());
    },
    async () => {
      for (let crash = 1; crash <= DATABASE_CRASHES; crash += 1) {
        const due = (orders * crash) / (DATABASE_CRASHES + 1);
        while ((await countedOrders()) < due) await setTimeout(100);
        await server.crash();
        await server.start();
      }
    },
    async () => {
      for (let turn = 0; !isOver; turn += 1) {
        grid.breakSomething(turn);
        await setTimeout(FAULT_INTERVAL_MS);
      }
      cloud.faults.clear();
    },
  ];
  try {
    await Promise.all(shipping.map((service) => service.start()));
    await grid.subscribe(shipping);
    await Promise.all(ordering.map((service) => service.start()));
    const disturbed = Promise.all(disturbances.map((disturb) => disturb()));
    const placed = async () => {
      while ((await countedOrders()) < orders) await setTimeout(200);
      isOver = true;
    };
    await Promise.all([disturbed, placed()]);
    while ((await count("select count(*) from eventgrid_outbox")) > 0 || grid.hurry() > 0) {
      await setTimeout(500);
    }
    const { accepted, redeliveries, lost } = grid.counts();
    const withShipments = (having: string) =>
      count(`select count(*) from (select id from orders left join shipments on order_id = id
        group by id having count(order_id) ${having}) counted`);
    const distinct = new Set(accepted);
    const ghosts = await pool.query("select id from orders where id = any($1)", [[...distinct]]);
    return {
      orders: await countedOrders(),
      "orders with exactly one shipment": await withShipments("= 1"),
      "orders without a shipment": await withShipments("= 0"),
      "orders with several shipments": await withShipments("> 1"),
      "events of orders that do not exist": distinct.size - ghosts.rows.length,
      "processes killed": kills,
      "database crashes": DATABASE_CRASHES,
      "publishing: responses lost": lost,
      "events published twice": accepted.length - distinct.size,
      "deliveries beyond the first": redeliveries,
      "duplicates suppressed by the inbox": shipping
        .map(({ output }) => output.match(/^suppressed$/gm)?.length ?? 0)
        .reduce((sum, each) => sum + each),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    isOver = true;
    await Promise.all(services.map((service) => service.end("SIGKILL")));
    grid.stop();
    await pool.end();
    await cloud.close();
  }
}
