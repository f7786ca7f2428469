import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import {
  createPublisher,
  defineEvents,
  type Publisher,
  type PublisherOptions,
  type,
} from "cloud-eventgrid-binding-runtime";
import {
  createOutbox,
  type Outbox,
  type OutboxOptions,
  PostgresError,
  tablesSql,
} from "cloud-eventgrid-binding-runtime/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createOutboxWith } from "../../../runtime/src/postgres/outbox.js";
import { ManualClock } from "../../support/manual-clock.js";
import { measuring } from "../../support/measuring.js";
import { ACCEPTED, refused, TopicServer, type WireEvent } from "../../support/topic-server.js";
import { answersInOrder, startTopic } from "../publisher/harness.js";
import { CollectingLog } from "../receiver/service.js";
import { TestDatabase } from "./database.js";

const database = new TestDatabase();
const topic = await startTopic();

/** An outbox in a schema of its own, whose relay runs by a manual clock. */
async function setUp({
  publisher: options,
  ...outboxOptions
}: Partial<Omit<OutboxOptions, "pool">> & { publisher?: PublisherOptions } = {}) {
  const schema = outboxOptions.schema ?? (await database.schema());
  const publisher = createPublisher(topic.binding, {
    source: "/shop",
    retry: { attempts: 1 },
    ...options,
  });
  const clock = new ManualClock();
  const log = new CollectingLog();
  const outbox = createOutboxWith(
    publisher,
    { pool: database.pool, schema, logger: log, ...outboxOptions },
    clock,
    () => 1, // delays without their random part
  );
  onTestFinished(async () => {
    await outbox.close();
    await publisher.close();
  });
  const store = (...ids: string[]) =>
    outbox.add(
      database.pool,
      ids.map((id) => ({ type: "shop.order.placed", id, data: { orderId: id } })),
    );
  const waiting = async () => {
    const rows = await database.rows(
      `select convert_from(body, 'UTF8')::json->>'id' as id from ${schema}.eventgrid_outbox order by id`,
    );
    return rows.map(({ id }) => id);
  };
  return { schema, publisher, clock, log, outbox, store, waiting };
}

const ids = (events: readonly WireEvent[]) => events.map(({ id }) => id);

describe("a transaction", () => {
  it("publishes the events that it stored when it is committed, and none when it is rolled back", async () => {
    const { schema, outbox, waiting } = await setUp();
    const place = (id: string, fails: boolean) =>
      database.pool.transaction(async (tx) => {
        await tx.query(`insert into ${schema}.orders values ($1)`, [id]);
        await outbox.add(tx, { type: "shop.order.placed", id, data: {} });
        if (fails) throw new Error("no such article");
      });
    await place("kept", false);
    await expect(place("lost", true)).rejects.toThrow("no such article");

    await outbox.start();
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toEqual(["kept"]);
  });

  it("fails when an event of it is invalid, and stores nothing", async () => {
    const orders = defineEvents({ "shop.order.placed": z.object({ orderId: z.string() }) });
    const { outbox, waiting } = await setUp({ publisher: { events: orders } as PublisherOptions });
    const valid = { type: "shop.order.placed", data: { orderId: "1" } };
    const add = (event: object) =>
      expect(outbox.add(database.pool, [valid, event as typeof valid])).rejects;
    await add({ type: "shop.order.placed", data: { orderId: 2 } }).toMatchObject({
      code: "ERR_PUBLISH_INVALID_EVENT",
      problems: [{ index: 1, path: "data.orderId" }],
    });
    await add({ type: "shop.order.plcaed", data: {} }).toMatchObject({
      problems: [{ index: 1, path: "type" }],
    });
    await add({ ...valid, data: { orderId: "1".repeat(1_100_000) } }).toThrow(
      "the limit is 1049600",
    );
    expect(await waiting()).toEqual([]);
  });

  it("fixes what an event says: a later version of the service publishes it unchanged", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    onTestFinished(() => context.disable());
    const tracerProvider = new BasicTracerProvider();
    const before = defineEvents({ "shop.order.placed": type<object>() });
    const { schema, outbox } = await setUp({
      publisher: {
        events: before,
        source: "/before",
        telemetry: { tracerProvider },
      } as PublisherOptions,
    });
    const span = tracerProvider.getTracer("test").startSpan("place order");
    const [id] = await context.with(trace.setSpan(context.active(), span), () =>
      outbox.add(database.pool, { type: "shop.order.placed", data: Buffer.from([0, 1, 255]) }),
    );
    const stored = new Date();

    const after = defineEvents({ "shop.order.sold": type<object>() });
    const later = await setUp({
      schema,
      publisher: { events: after, source: "/after" } as PublisherOptions,
    });
    await later.outbox.start();
    await expect.poll(() => topic.accepted).toHaveLength(1);
    const [event] = topic.accepted;
    expect(event).toMatchObject({
      specversion: "1.0",
      id,
      source: "/before",
      type: "shop.order.placed",
      datacontenttype: "application/octet-stream",
      data_base64: "AAH/",
      traceparent: expect.stringContaining(span.spanContext().traceId),
    });
    expect(Date.parse(String(event?.time))).toBeLessThanOrEqual(stored.getTime());
  });
});

/** Texts that break out of SQL, or that PostgreSQL's text or UTF-8 does not have. */
const hostile = [
  "'; drop table orders; --",
  "$1 \\\\ \\' ? %s",
  "nul \0 nul",
  "half \ud800 of a pair",
  "other half \udc00",
  "x".repeat(10_000),
];

describe("an event with hostile content", () => {
  it.each(["id", "source", "subject", "type", "dataschema", "extension"])(
    "is refused as invalid or published as it is, with the content in %s",
    async (attribute) => {
      const { outbox, waiting } = await setUp();
      const stored: unknown[] = [];
      for (const text of hostile) {
        const event = { type: "shop.order.placed", data: text, [attribute]: text };
        await outbox.add(database.pool, event).then(
          () => stored.push(text),
          (error) => expect(error).toMatchObject({ code: "ERR_PUBLISH_INVALID_EVENT" }),
        );
      }
      await outbox.start();
      await expect.poll(waiting).toEqual([]);
      expect(topic.accepted.map((event) => event[attribute])).toEqual(stored);
      expect(topic.accepted.map(({ data }) => data)).toEqual(stored);
    },
  );

  it("is published with any payload, up to the limit of 1 MB", async () => {
    const { outbox, waiting } = await setUp();
    const payloads = [...hostile, "x".repeat(1_049_000), { [String(hostile[2])]: hostile }];
    await outbox.add(
      database.pool,
      payloads.map((data) => ({ type: "shop.order.placed", data })),
    );
    await outbox.start();
    await expect.poll(waiting).toEqual([]);
    expect(topic.accepted.map(({ data }) => JSON.stringify(data)).toSorted()).toEqual(
      payloads.map((data) => JSON.stringify(data)).toSorted(),
    );
  });
});

describe("the relay", () => {
  it("looks every second while it is idle, and at once when it is woken", async () => {
    const { clock, outbox, store, waiting } = await setUp();
    await outbox.start();
    await clock.whenScheduled(1_000);
    await store("polled");
    expect(ids(topic.accepted)).toEqual([]);
    clock.advance(1_000);
    await expect.poll(waiting).toEqual([]);

    await clock.whenScheduled(1_000);
    await store("woken");
    outbox.wake();
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toEqual(["polled", "woken"]);
  });

  it("publishes more events than it claims at a time without a pause", async () => {
    const { outbox, store, waiting } = await setUp();
    const many = Array.from({ length: 1_100 }, (_, index) => `${index}`);
    await store(...many);
    await outbox.start();
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted).toSorted()).toEqual(many.toSorted());
    // They shared requests.
    expect(topic.requests.length).toBeLessThan(50);
  });

  it("publishes an event that was committed after later ones, although it is busy with those", async () => {
    const { schema, outbox, store, waiting } = await setUp();
    await store("late", ...Array.from({ length: 1_100 }, (_, index) => `${index}`));
    const table = `${schema}.eventgrid_outbox`;
    const rows = await database.rows(`delete from ${table} where id = 1 returning id, topic, body`);
    topic.answer = async () => {
      const late = rows.pop();
      if (late !== undefined) {
        const insert = `insert into ${table} (id, topic, body) overriding system value values ($1, $2, $3)`;
        await database.pool.query(insert, [late.id, late.topic, late.body]);
      }
      return ACCEPTED;
    };
    await outbox.start();
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toContain("late");
  });

  it("publishes the events of a process that died when its lease has ended", async () => {
    const { schema, clock, outbox, store, waiting } = await setUp();
    await store("dead", "alive");
    const lease = (id: string, seconds: number) =>
      database.pool.query(
        `update ${schema}.eventgrid_outbox set lease = gen_random_uuid(), leased_until = clock_timestamp() + make_interval(secs => $2)
        where convert_from(body, 'UTF8')::json->>'id' = $1`,
        [id, seconds],
      );
    await lease("dead", -1);
    await lease("alive", 60);
    await outbox.start();
    await clock.whenScheduled(1_000);
    expect(ids(topic.accepted)).toEqual(["dead"]);
    expect(await waiting()).toEqual(["alive"]);
  });

  it("does not delete an event whose lease another relay has by now", async () => {
    const { schema, clock, outbox, store, waiting } = await setUp();
    await store("slow");
    const other = "11111111-1111-4111-8111-111111111111";
    topic.answer = async () => {
      await database.pool.exec(`update ${schema}.eventgrid_outbox set lease = '${other}'`);
      return ACCEPTED;
    };
    await outbox.start();
    await clock.whenScheduled(1_000);
    expect(ids(topic.accepted)).toEqual(["slow"]);
    expect(await waiting()).toEqual(["slow"]);
  });

  it.each([400, 413])(
    "sets aside an event that Event Grid refuses with %i, and publishes the others",
    async (status) => {
      const { schema, clock, log, outbox, store, waiting } = await setUp();
      await store("1", "bad", "2", "3");
      topic.answer = ({ events }) =>
        ids(events).includes("bad") ? refused(status, "Refused", "the event is \0 bad") : ACCEPTED;
      await outbox.start();
      await clock.whenScheduled(1_000);
      expect(ids(topic.accepted).toSorted()).toEqual(["1", "2", "3"]);
      const [failed, ...others] = await outbox.failed();
      expect(others).toEqual([]);
      expect(failed).toMatchObject({
        event: { id: "bad", source: "/shop", data: { orderId: "bad" } },
        reason: expect.stringContaining(`${status}`),
        failedAt: expect.any(Date),
      });
      expect(log.withMessage("event set aside: it cannot be published")).toHaveLength(1);

      topic.answer = () => ACCEPTED;
      await database.pool.exec(
        `update ${schema}.eventgrid_outbox set failed_at = null, failure = null where id = ${failed?.row}`,
      );
      clock.advance(1_000);
      await expect.poll(waiting).toEqual([]);
      expect(ids(topic.accepted)).toContain("bad");
    },
  );

  it("publishes only once what Event Grid accepted beside an event that it refused", async () => {
    const { outbox, clock } = await setUp();
    const data = "x".repeat(400_000);
    const events = ["1", "2", "bad", "3"].map((id) => ({ type: "shop.order.placed", id, data }));
    await outbox.add(database.pool, events);
    topic.answer = ({ events }) =>
      ids(events).includes("bad") ? refused(400, "Refused", "the event is bad") : ACCEPTED;
    await outbox.start();
    await clock.whenScheduled(1_000);
    // They need two requests.
    expect(ids(topic.accepted).toSorted()).toEqual(["1", "2", "3"]);
    expect(await outbox.failed()).toMatchObject([{ event: { id: "bad" } }]);
  });

  it.each([401, 403, 404, 503])(
    "keeps its events while Event Grid answers %i, with a warning, and tries again",
    async (status) => {
      const { clock, log, outbox, store, waiting } = await setUp();
      await store("1", "2");
      const answer = refused(status, "Refused", "not now");
      answersInOrder(topic, answer, answer);
      await outbox.start();
      await clock.whenScheduled(1_000);
      expect(await waiting()).toEqual(["1", "2"]);
      expect(log.withMessage("events stay in the outbox: trying again")).toMatchObject([
        { level: "warn", events: 2, err: { message: expect.stringContaining(`${status}`) } },
      ]);

      // The second failure waits for longer, and wake() does not cut that short.
      clock.advance(1_000);
      await clock.whenScheduled(2_000);
      outbox.wake();
      expect(topic.requests).toHaveLength(2);
      clock.advance(2_000);
      await expect.poll(waiting).toEqual([]);
      expect(await outbox.failed()).toEqual([]);
    },
  );

  it("leaves to other relays what it has not published when it closes", async () => {
    const { clock, outbox, store, schema } = await setUp();
    await store("1");
    topic.answer = () => "hang";
    await outbox.start();
    await topic.arrivals(1);
    const closing = outbox.close();
    await clock.whenScheduled(5_000);
    clock.advance(5_000);
    await closing;
    const rows = await database.rows(`select lease, leased_until from ${schema}.eventgrid_outbox`);
    expect(rows).toEqual([{ lease: null, leased_until: null }]);
  });

  it("reports how much waits and for how long, and warns of an event older than a minute", async () => {
    const { meterProvider, measured } = measuring();
    const { schema, clock, log, outbox, store } = await setUp({ telemetry: { meterProvider } });
    const table = `${schema}.eventgrid_outbox`;
    const age = (minutes: number) =>
      `stored_at = clock_timestamp() - interval '${minutes} minutes', leased_until = clock_timestamp() + interval '1 hour'`;
    await store("old", "new", "elsewhere", "nowhere");
    await database.pool.exec(`update ${table} set ${age(2)} where id <= 2;
      update ${table} set topic = 'pay.example/api/events', ${age(3)} where id = 3;
      update ${table} set topic = null, ${age(4)} where id = 4`);
    await store("published");
    await outbox.start();
    await clock.whenScheduled(1_000);
    clock.advance(15_000);
    const seconds = (minutes: number) => expect.closeTo(minutes * 60, -1);
    await expect
      .poll(async () => (await measured()).values)
      .toMatchObject({
        "eventgrid.outbox.events": [["published", 1]],
        "eventgrid.outbox.events.waiting": [
          ["other", 2],
          ["own", 2],
        ],
        "eventgrid.outbox.oldest_event.age": [
          ["other", seconds(4)],
          ["own", seconds(2)],
        ],
      });
    const message = "events have waited in the outbox for more than a minute";
    expect(log.withMessage(message)).toMatchObject([{ oldestSeconds: seconds(2) }]);
    const ofAnother =
      "events of another topic have waited in the outbox for more than a minute: check that a relay publishes to it";
    expect(log.withMessage(ofAnother)).toHaveLength(2);
    expect(log.withMessage(ofAnother)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ topic: "pay.example/api/events", oldestSeconds: seconds(3) }),
        expect.objectContaining({ topic: null, oldestSeconds: seconds(4) }),
      ]),
    );
  });

  it("publishes to its own topic only, beside the relay of another topic on the same table", async () => {
    const other = await TopicServer.start();
    onTestFinished(() => other.stop());
    const shop = await setUp();
    const pay = createPublisher(other.binding, { source: "/pay", retry: { attempts: 1 } });
    const payments = createOutboxWith(
      pay,
      { pool: database.pool, schema: shop.schema, logger: shop.log },
      shop.clock,
    );
    onTestFinished(async () => {
      await payments.close();
      await pay.close();
    });
    const [orders, paid] = [
      ["1", "2", "bad"],
      ["3", "4", "worse"],
    ];
    await shop.store(...orders);
    await payments.add(
      database.pool,
      paid.map((id) => ({ type: "shop.order.paid", id, data: {} })),
    );
    for (const each of [topic, other]) {
      each.answer = ({ events }) =>
        /bad|worse/.test(ids(events).join()) ? refused(400, "Refused", "bad") : ACCEPTED;
    }
    await Promise.all([shop.outbox.start(), payments.start()]);
    await expect.poll(() => ids(topic.accepted).toSorted()).toEqual(["1", "2"]);
    await expect.poll(() => ids(other.accepted).toSorted()).toEqual(["3", "4"]);
    await expect.poll(() => shop.outbox.failed()).toMatchObject([{ event: { id: "bad" } }]);
    await expect.poll(() => payments.failed()).toMatchObject([{ event: { id: "worse" } }]);
  });

  it.each([
    ["bytes that are not UTF-8", "7b22ff"],
    ["a NUL, which text of PostgreSQL does not have", "7b2200227d"],
    ["nothing", ""],
    ["a text that is no object", "68656c6c6f"],
  ])("sets aside a row with %s, and publishes the others", async (_, hex) => {
    const { schema, clock, log, outbox, store } = await setUp();
    await store("1", "2", "3");
    await database.pool.exec(
      `update ${schema}.eventgrid_outbox set body = decode('${hex}', 'hex') where id = 2`,
    );
    await outbox.start();
    await clock.whenScheduled(1_000);
    expect(ids(topic.accepted).toSorted()).toEqual(["1", "3"]);
    expect(await outbox.failed()).toMatchObject([{ row: "2", event: undefined }]);
    expect(log.withMessage("event set aside: it cannot be published")).toHaveLength(1);
  });
});

describe("the function that works in a transaction", () => {
  const place = (schema: string, outbox: Outbox) =>
    outbox.transaction(async (client) => {
      await client.query(`insert into ${schema}.orders values ('1')`);
      const [id] = await outbox.add(client, { type: "shop.order.placed", id: "1", data: {} });
      return id;
    });

  it("commits, wakes the relay, and returns the function's result", async () => {
    const { schema, clock, outbox, waiting } = await setUp();
    await outbox.start();
    await clock.whenScheduled(1_000);
    expect(await place(schema, outbox)).toBe("1");
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toEqual(["1"]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no such article")), "no such article"],
    ["hides that a statement failed", "select nothing", "a statement in it had failed"],
    ["rolls back", "rollback", "the transaction ended before the function"],
    ["rolls back and begins again", "rollback; begin", "the transaction ended before the function"],
  ])("fails, and stores nothing, when the function %s", async (_, then, message) => {
    const { schema, outbox, waiting } = await setUp();
    const placing = outbox.transaction(async (client) => {
      await outbox.add(client, { type: "shop.order.placed", data: {} });
      if (typeof then === "function") await then();
      else await client.exec(then).catch(() => {});
    });
    await expect(placing).rejects.toThrow(message);
    expect(await waiting()).toEqual([]);
    await place(schema, outbox);
    expect(await waiting()).toEqual(["1"]);
  });
});

describe("the start", () => {
  it("fails with the command that prints the SQL when the table is missing", async () => {
    const { outbox } = await setUp({ schema: "nowhere", table: "shop_outbox" });
    await expect(outbox.start()).rejects.toThrowError(
      new PostgresError(
        "ERR_POSTGRES_TABLE",
        'the table "nowhere"."shop_outbox" is missing: run the SQL that `npx --no -- cloud-eventgrid tables outbox --schema nowhere --outbox-table shop_outbox` prints',
      ),
    );
  });

  it("fails on a table of version 1, which the SQL migrates with its events", async () => {
    const schema = await database.schema({ outbox: false });
    await database.pool.exec(`create table ${schema}.eventgrid_outbox (
        id bigint generated always as identity primary key, body bytea not null,
        stored_at timestamptz not null default clock_timestamp(),
        lease uuid, leased_until timestamptz, failed_at timestamptz, failure text);
      create index eventgrid_outbox_waiting on ${schema}.eventgrid_outbox (id) where failed_at is null;
      insert into ${schema}.eventgrid_outbox (body) values ('{"id":"before"}')`);
    const { outbox, store, waiting } = await setUp({ schema });
    await expect(outbox.start()).rejects.toThrow("is older than this version needs it");
    await database.pool.exec(tablesSql({ schema, inbox: false }));
    await store("after");
    await outbox.start();
    await expect.poll(() => ids(topic.accepted)).toEqual(["after"]);
    await expect.poll(waiting).toEqual(["before"]);
    await database.pool.exec(
      `update ${schema}.eventgrid_outbox set topic = '${topic.binding.topicEndpoint.replace("http://", "")}' where topic is null`,
    );
    outbox.wake();
    await expect.poll(waiting).toEqual([]);
  });
});

it("reports every invalid option of an outbox at once", () => {
  const { pool } = database;
  const options = { pool: {}, leaseMs: 5, schema: 'a"; drop', polMs: 1 };
  expect(() => createOutbox({} as Publisher, options as unknown as OutboxOptions)).toThrowError(
    expect.objectContaining({
      code: "ERR_CONFIGURATION",
      problems: ["polMs", "pool", "schema", "leaseMs"].map((field) =>
        expect.objectContaining({ field }),
      ),
    }),
  );
  expect(() => createOutbox({} as Publisher, { pool })).toThrowError(
    "publisher must be made by createPublisher of the same version of this package",
  );
});
