import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { LocalCloud } from "cloud-eventgrid-local";
import pg from "pg";
import { expect, it } from "vitest";
import { freePort } from "../../../../examples/start/free-port.js";
import { describeWith } from "../../../support/describe-with.js";
import { PostgresServer } from "../../../support/postgres-server.js";
import { Replica } from "../../deduplication/replicas.js";
import type { OrdersSetting } from "./orders-service.js";
import type { ShippingSetting } from "./shipping-service.js";

const ORDERS = 400;
const KILL_INTERVAL_MS = 2_000;

/** Who stores what in one database, with the tables' default names. */
const publishers = [
  { topic: "shop", table: "orders" },
  { topic: "pay", table: "payments" },
] as const;
const consumers = [
  { consumer: "shipping", topic: "shop" },
  { consumer: "billing", topic: "shop" },
  { consumer: "ledger", topic: "pay" },
] as const;

describeWith(
  "postgres",
  "neighbours in a database",
  () => {
    it("publish to their own topics and handle each event once, while they are killed", async () => {
      await using server = await PostgresServer.start();
      const pool = new pg.Pool({ connectionString: server.url });
      pool.on("error", () => {});
      await pool.query(`${tablesSql()}
        create table orders (id int primary key); create table payments (id int primary key);
        create table shipping (order_id int); create table billing (order_id int); create table ledger (order_id int);
        create table stock (shelf int primary key, shipped int not null);
        insert into stock select n, 0 from generate_series(0, 49) n;`);
      const cloud = await LocalCloud.start({ clock: { scale: 150 }, history: 1_000_000 });
      const { clientId } = cloud.applications.create({ displayName: "webhooks" });
      const replica = (module: string, port: number, setting: object) => {
        const service = new Replica(join(import.meta.dirname, `${module}-service.ts`), port, {
          SETTING: JSON.stringify({ database: server.url, port, ...setting }),
        });
        services.push(service);
        return service;
      };
      const services: Replica[] = [];
      const topics: Record<string, ReturnType<LocalCloud["topics"]["create"]>> = {};
      try {
        for (const { topic: name, table } of publishers) {
          const topic = cloud.topics.create({ name });
          topics[name] = topic;
          const { endpoint: topicEndpoint, accessKey } = topic;
          const setting: Omit<OrdersSetting, "database" | "port"> = {
            binding: { topicEndpoint, accessKey },
            table,
            first: 0,
            step: 1,
            orders: ORDERS,
            pauseMs: 15,
          };
          replica("orders", await freePort(), setting);
        }
        for (const { consumer, topic } of consumers) {
          const url = `https://${consumer}.example.com`;
          const port = await freePort();
          const service = replica("shipping", port, {
            consumer,
            table: consumer,
            listen: {
              cloudTenantId: cloud.tenantId,
              cloudClientId: clientId,
              cloudAuthorityHost: cloud.authorityHost,
              handshakePort: String(port),
              path: "/api/events",
            },
          } satisfies Partial<ShippingSetting>);
          await service.start();
          cloud.ingress.route(url, `http://127.0.0.1:${service.port}`);
          await cloud.eventSubscriptions.create({
            name: consumer,
            scope: topics[topic]?.id ?? "",
            clientId,
            endpointUrl: `${url}/api/events`,
          });
        }
        await Promise.all(services.slice(0, publishers.length).map((service) => service.start()));
        const count = async (sql: string) => Number((await pool.query(sql)).rows[0]?.count);
        const placed = () =>
          count(
            "select least((select count(*) from orders), (select count(*) from payments)) as count",
          );
        let kills = 0;
        while ((await placed()) < ORDERS || kills < services.length) {
          await setTimeout(KILL_INTERVAL_MS);
          cloud.faults.deliveries({ loseResponse: true, times: 5 });
          const victim = services[kills % services.length];
          await victim?.end("SIGKILL");
          await victim?.start();
          kills += 1;
        }
        cloud.faults.clear();
        while (
          (await count("select count(*) from eventgrid_outbox")) > 0 ||
          cloud.pendingEvents > 0
        ) {
          cloud.retryNow();
          await setTimeout(200);
        }
        for (const { topic, table } of publishers) {
          const events = topics[topic]?.events() ?? [];
          expect(new Set(events.map(({ data }) => Object(data).orderId)).size).toBe(ORDERS);
          expect(new Set(events.map(({ source }) => source))).toEqual(new Set([`/${table}`]));
        }
        for (const { consumer } of consumers) {
          const effects = await pool.query(
            `select count(*)::int as effects, count(distinct order_id)::int as orders from ${consumer}`,
          );
          expect([consumer, effects.rows[0]]).toEqual([
            consumer,
            { effects: ORDERS, orders: ORDERS },
          ]);
        }
      } finally {
        await Promise.all(services.map((service) => service.end("SIGKILL")));
        await pool.end();
        await cloud.close();
      }
    });
  },
  { timeout: 600_000 },
);
