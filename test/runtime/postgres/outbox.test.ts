import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import {
  defineEvents,
  type Publisher,
  type PublisherOptions,
  type,
} from "cloud-eventgrid-binding-runtime";
import {
  createInbox,
  createOutbox,
  type Outbox,
  type OutboxOptions,
  PostgresError,
  type Transactions,
} from "cloud-eventgrid-binding-runtime/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startTopic } from "../publisher/harness.js";
import { TestDatabase } from "./database.js";
import { ids, type OutboxSettings, startOutbox } from "./outbox-service.js";

const database = new TestDatabase();
const topic = await startTopic();
const setUp = (settings?: OutboxSettings) => startOutbox(database, topic, settings);

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
  type Row = Record<string, unknown>;
  const upperCase = (row: Row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toUpperCase(), value]));
  const shapes: Record<string, (rows: Row[], isUpdate: boolean) => unknown> = {
    "the rows of an update with their number": (rows, isUpdate) => ({
      rows: isUpdate ? [rows, rows.length] : rows,
    }),
    "an array of values for each row": (rows) => ({ rows: rows.map((row) => Object.values(row)) }),
    "names in upper case": (rows) => ({ rows: rows.map(upperCase) }),
    "the rows alone": (rows) => rows,
    "the number of rows": (rows) => ({ rows: rows.length }),
    "the first row": ([row]) => ({ rows: row }),
  };

  it.each(Object.entries(shapes))(
    "fails with the name of the option when clients of a library return %s",
    async (_, shape) => {
      const { schema, publisher } = await setUp();
      const transaction: Transactions["transaction"] = (work) =>
        database.pool.transaction((tx) =>
          work({
            query: async (text, values) => {
              const { rows } = await tx.query<Row>(text, values);
              return shape(rows, /^(with|update|delete)/.test(text)) as { rows: Row[] };
            },
          }),
        );
      const options = { pool: { max: 1, transaction }, schema, logger: false };
      const inbox = createInbox({ ...options, consumer: "shipping" });
      for (const each of [createOutbox(publisher, options), inbox]) {
        await expect(each.start()).rejects.toThrow(
          "pool must have clients whose query() resolves to { rows }",
        );
        await each.close();
      }
    },
  );

  it("fails with the command that prints the SQL when the table is missing", async () => {
    const { outbox } = await setUp({ schema: "nowhere" });
    await expect(outbox.start()).rejects.toThrowError(
      new PostgresError(
        "ERR_POSTGRES_TABLE",
        'the table "nowhere".eventgrid_outbox is missing: run the SQL that `npx --no -- cloud-eventgrid tables --schema nowhere` prints',
      ),
    );
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
