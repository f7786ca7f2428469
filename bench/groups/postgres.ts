import { randomUUID } from "node:crypto";
import { createPublisher, type EventContext } from "cloud-eventgrid-binding-runtime";
import { createInbox, createOutbox, tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { Pool, type PoolClient } from "pg";
import { createClient } from "redis";
import { PostgresServer } from "../../test/support/postgres-server.js";
import { RedisServer } from "../../test/support/redis-server.js";
import { load } from "../harness/load.js";
import { cpuMicrosOf } from "../harness/process-time.js";
import type { Column, Group, Sample, Scenario, Settings } from "../harness/scenario.js";
import { ServerProcess } from "../harness/server-process.js";
import { cloudEvent, KEY, payload } from "./event.js";

const CALLERS = 5;
const ARRAY = 100;

const TIME: Column = { key: "time", title: "µs each", better: "less" };
const RATE: Column = { key: "rate", title: "events/s", better: "more" };
const CPU: Column = { key: "cpu", title: "CPU µs each", better: "less" };
const WORK: Column = { key: "work", title: "CPU µs each, with the servers", better: "less" };

export const postgres: Group = {
  name: "postgres",
  title: "Outbox and inbox in PostgreSQL",
  async *scenarios(settings) {
    const server = await PostgresServer.start();
    const redis = await RedisServer.start("--save", "");
    const topic = await ServerProcess.start("topic");
    const pool = new Pool({ connectionString: server.url });
    try {
      await pool.query(`${tablesSql()}; create table orders (id uuid primary key, data jsonb)`);
      yield orders(pool, topic, settings);
      yield relay(pool, topic, settings);
      yield* handlers(pool, server, redis, settings);
    } finally {
      await pool.end();
      await Promise.all([topic.stop(), redis.stop(), server.crash()]);
    }
  },
};

function publisherOf(topic: ServerProcess) {
  const binding = { topicEndpoint: `${topic.url}/api/events`, accessKey: KEY };
  return createPublisher(binding, { source: "bench" });
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<unknown>) {
  const client = await pool.connect();
  await client.query("begin");
  await work(client);
  await client.query("commit");
  client.release();
}

const insertOrder = (client: PoolClient) =>
  client.query("insert into orders values ($1, $2)", [randomUUID(), payload]);

/** The load with the time of one call, of which several run at a time. */
async function timed(
  job: () => Promise<unknown>,
  milliseconds: number,
  serverMicros?: () => number,
): Promise<Sample> {
  const sample = await load(job, CALLERS, milliseconds, 1, serverMicros);
  return { ...sample, time: 1_000_000 / (sample.rate ?? 1) };
}

function orders(pool: Pool, topic: ServerProcess, { milliseconds }: Settings): Scenario {
  const outbox = createOutbox(publisherOf(topic), { pool });
  const event = { type: "bench.order.placed", data: payload };
  const place = (work: (client: PoolClient) => Promise<unknown>) => async () => {
    await pool.query("truncate orders, eventgrid_outbox");
    return timed(() => inTransaction(pool, work), milliseconds);
  };
  return {
    name: `an order in a transaction, ${CALLERS} at a time`,
    columns: [TIME, CPU],
    contenders: [
      {
        name: "with an event in the outbox",
        ours: true,
        measure: place(async (client) => {
          await insertOrder(client);
          await outbox.add(client, event);
        }),
      },
      { name: "without", measure: place(insertOrder) },
    ],
  };
}

function relay(pool: Pool, topic: ServerProcess, { smoke, milliseconds }: Settings): Scenario {
  const publisher = publisherOf(topic);
  const events = Array.from({ length: ARRAY }, () => ({
    type: "bench.order.placed",
    data: payload,
  }));
  const arrays = smoke ? 2 : 200;
  return {
    name: `events of 1 KB, ${arrays * ARRAY} stored before`,
    columns: [RATE, CPU],
    contenders: [
      {
        name: "relay of an outbox",
        ours: true,
        async measure() {
          await pool.query("truncate eventgrid_outbox");
          const outbox = createOutbox(publisher, { pool });
          for (let array = 0; array < arrays; array += 1) await outbox.add(pool, events);
          await pool.query("vacuum analyze eventgrid_outbox");
          const relayAll = async () => {
            await outbox.start();
            const left = "select from eventgrid_outbox limit 1";
            while ((await pool.query(left)).rowCount !== 0) await pause();
          };
          // One call: it takes longer than the millisecond that calls may begin in.
          const sample = await load(relayAll, 1, 1, arrays * ARRAY);
          await outbox.close();
          return sample;
        },
      },
      {
        name: `create with arrays of ${ARRAY}`,
        target: { atLeast: 0.55 },
        measure: () => load(() => publisher.create(events), 4, milliseconds, ARRAY),
      },
    ],
  };
}

async function* handlers(
  pool: Pool,
  server: PostgresServer,
  redis: RedisServer,
  { milliseconds }: Settings,
): AsyncGenerator<Scenario> {
  const client = await createClient({ url: redis.url }).connect();
  const store = redisDeduplication(client);
  const inbox = createInbox({ pool, consumer: "bench" });
  const handler = inbox.handler((_, context) => insertOrder(context.client));
  const measure = (job: () => Promise<unknown>) => async () => {
    await pool.query("truncate orders, eventgrid_inbox");
    await client.flushAll("SYNC");
    const pids = [server, redis].flatMap(({ pid }) => pid ?? []);
    return timed(job, milliseconds, () => cpuMicrosOf(pids));
  };
  const handle = () => inTransaction(pool, insertOrder);
  yield {
    name: `a handler that inserts a row, ${CALLERS} at a time`,
    columns: [WORK, TIME, CPU],
    contenders: [
      {
        name: "inbox",
        ours: true,
        measure: measure(async () => {
          const event = { ...cloudEvent(), specversion: "1.0" as const };
          await handler(event, contextOf(event.id));
        }),
      },
      { name: "its own transaction", target: { atMost: 1.45 }, measure: measure(handle) },
      {
        name: "its own transaction and the Redis store",
        measure: measure(async () => {
          const { id, source } = cloudEvent();
          const key = { consumer: "bench", subscriptionKey: "bench", source, id };
          const [lease] = await store.claim([key]);
          await handle();
          if (typeof lease === "object") await store.settle([{ lease, isHandled: true }]);
        }),
      },
    ],
  };
  await inbox.close();
  client.destroy();
}

const signal = new AbortController().signal;

/** The context of a delivery, of which only these members are used. */
function contextOf(deduplicationKey: string): EventContext {
  const context: Pick<EventContext, "signal" | "deduplicationKey"> = { signal, deduplicationKey };
  return context as EventContext;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
