import type { Transaction } from "@electric-sql/pglite";
import { type CloudEvent, createPublisher, RejectEvent } from "cloud-eventgrid-binding-runtime";
import {
  createInbox,
  createOutbox,
  type Inbox,
  type InboxOptions,
  tablesSql,
} from "cloud-eventgrid-binding-runtime/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { gate, heldWork } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { measuring } from "../../support/measuring.js";
import { anEvent, BATCH, startService } from "../listener/service.js";
import { startNamespace, startReceiver, until } from "../receiver/service.js";
import { delivered, TestDatabase } from "./database.js";

const database = new TestDatabase();
type TestInbox = Inbox<Transaction>;
type Handler = Parameters<TestInbox["handler"]>[0];

async function setUp(options: Partial<InboxOptions> = {}) {
  const schema = options.schema ?? (await database.schema());
  const inbox: TestInbox = createInbox({
    consumer: "shipping",
    logger: false,
    ...options,
    schema,
    pool: database.pool,
  });
  onTestFinished(() => inbox.close());
  let calls = 0;
  /** Adds the event to `orders`, and then does what the test wants. */
  const handler = (then: Handler = () => {}) =>
    inbox.handler(async (event, context) => {
      calls += 1;
      await context.client.query(`insert into ${schema}.orders values ($1)`, [event.id]);
      await then(event, context);
    });
  return {
    inbox,
    schema,
    handler,
    calls: () => calls,
    /** A listener without the memory in front of the inbox. */
    listen: (then?: Handler, listenerOptions: Parameters<typeof startService>[0] = {}) =>
      startService({ deduplication: false, on: { "*": handler(then) }, ...listenerOptions }),
    handled: async () => {
      const rows = await database.rows(`select id from ${schema}.orders order by id`);
      return rows.map(({ id }) => id);
    },
    keys: async () =>
      Number((await database.rows(`select count(*) from ${schema}.eventgrid_inbox`))[0]?.count),
  };
}

describe("the work of a handler", () => {
  it("is committed together with a mark, so that a second delivery does not call the handler", async () => {
    const { meterProvider, measured } = measuring();
    const { listen, handled, calls } = await setUp({ telemetry: { meterProvider } });
    const { deliver, log } = await listen(undefined, { logLevel: "debug" });
    const event = anEvent();
    const repeated = () => log.withMessage("event was handled before").length;
    expect([(await deliver(event)).status, repeated()]).toEqual([200, 0]);
    expect([(await deliver(event)).status, repeated()]).toEqual([200, 1]);
    expect([calls(), await handled()]).toEqual([1, [event.id]]);
    expect((await measured()).values["eventgrid.inbox.events"]).toEqual([
      ["handled", 1],
      ["handled-before", 1],
    ]);
  });

  it.each([
    [503, new Error("the carrier does not answer")],
    [400, new RejectEvent("no such article")],
  ])("is rolled back without a mark when the handler throws: %i", async (status, error) => {
    const { listen, handled, keys } = await setUp();
    let fails = true;
    const { deliver } = await listen(() => {
      if (fails) throw error;
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(status);
    expect([await handled(), await keys()]).toEqual([[], 0]);
    fails = false;
    expect((await deliver(event)).status).toBe(200);
    expect([await handled(), await keys()]).toEqual([[event.id], 1]);
  });

  it.each([
    ["hides that a statement failed", "select nothing"],
    ["rolls back", "rollback"],
    ["rolls back, and begins another transaction", "rollback; begin"],
    ["sets the isolation level", "set transaction isolation level serializable"],
    ["rejects with undefined", undefined],
  ])("is not acknowledged when the handler %s", async (_, statements) => {
    const { listen, handled, keys } = await setUp();
    const { deliver } = await listen((__, { client }) =>
      statements === undefined
        ? Promise.reject(undefined)
        : client.exec(statements).catch(() => {}),
    );
    expect((await deliver(anEvent())).status).toBe(503);
    expect([await handled(), await keys()]).toEqual([[], 0]);
  });

  it.each([
    ["returns", () => {}],
    ["throws", () => Promise.reject(new Error("the carrier does not answer"))],
    ["begins another transaction", (client: Transaction) => client.exec("begin")],
  ])("is delivered again when the handler has committed it itself and %s", async (_, then) => {
    const { listen, handled, calls } = await setUp();
    let commits = true;
    const { deliver } = await listen(async (__, { client }) => {
      if (!commits) return;
      await client.exec("commit");
      await then(client);
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(503);
    commits = false;
    expect((await deliver(event)).status).toBe(200);
    expect((await deliver(event)).status).toBe(200);
    expect([calls(), await handled()]).toEqual([2, [event.id, event.id]]);
  });

  it("is rolled back together with the events that the handler stored", async () => {
    const { schema, listen } = await setUp();
    const publisher = createPublisher({
      topicEndpoint: "https://t.example.com",
      accessKey: "a2V5",
    });
    const outbox = createOutbox(publisher, { pool: database.pool, schema, logger: false });
    let fails = true;
    const { deliver } = await listen(async ({ id }, { client }) => {
      await outbox.add(client, { type: "shop.order.shipped", source: "/shipping", id, data: {} });
      if (fails) throw new Error("the carrier does not answer");
    });
    const stored = () => database.rows(`select id from ${schema}.eventgrid_outbox`);
    const event = anEvent();
    expect([(await deliver(event)).status, await stored()]).toEqual([503, []]);
    fails = false;
    expect([(await deliver(event)).status, await stored()]).toMatchObject([200, [{}]]);
    await publisher.close();
  });

  it.each(["40001", "40P01"])(
    "is done again after SQLSTATE %s, three times at most",
    async (state) => {
      const { listen, handled, calls } = await setUp();
      let failures = 2;
      const handler: Handler = async (_, { client }) => {
        failures -= 1;
        if (failures >= 0) await client.exec(`do $$ begin raise sqlstate '${state}'; end $$`);
      };
      const { deliver, log } = await listen(handler, { logLevel: "debug" });
      const event = anEvent();
      expect((await deliver(event)).status).toBe(200);
      expect([calls(), await handled()]).toEqual([3, [event.id]]);
      expect(log.withMessage("transaction tried again")).toMatchObject([{ state }, { state }]);
      failures = 3;
      expect((await deliver(anEvent())).status).toBe(503);
      expect(calls()).toBe(6);
    },
  );
});

describe("an event", () => {
  it("counts once however it arrives, for each consumer and source", async () => {
    const { listen, schema, calls } = await setUp();
    const { deliver } = await listen();
    const event = anEvent();
    await deliver(event);
    // Another subscription, and a batch of replayed dead letters.
    await deliver(event, { headers: { "aeg-subscription-name": "REPLAY" } });
    await deliver([event, event], { contentType: BATCH });
    expect(calls()).toBe(1);

    await deliver({ ...event, source: "/another-shop" });
    expect(calls()).toBe(2);
    const billing = await setUp({ schema, consumer: "billing" });
    await (await billing.listen()).deliver(event);
    expect(billing.calls()).toBe(1);
  });

  it("is recognized by the deduplicationKey of its listener", async () => {
    const { listen, handled } = await setUp();
    const deduplicationKey = ({ subject }: CloudEvent) => subject;
    const { deliver } = await listen(undefined, { deduplicationKey });
    const first = anEvent({ subject: "orders/17" });
    await deliver(first);
    await deliver(anEvent({ subject: "orders/17" }));
    expect(await handled()).toEqual([first.id]);
  });

  it("is handled in a transaction without a mark if it has no key, as telemetry of IoT Hub", async () => {
    const { meterProvider, measured } = measuring();
    const { listen, handled, keys } = await setUp({ telemetry: { meterProvider } });
    const { deliver } = await listen();
    const event = anEvent({ type: "Microsoft.Devices.DeviceTelemetry" });
    await deliver(event);
    await deliver(event);
    expect([await handled(), await keys()]).toEqual([[event.id, event.id], 0]);
    expect((await measured()).values["eventgrid.inbox.events"]).toEqual([["without-key", 2]]);
  });

  it("is handled once by receivers of a namespace, too", async () => {
    const { handler, handled } = await setUp();
    const { newQueue } = namespace;
    const { queue, binding, publish } = await newQueue();
    await startReceiver(binding, { on: { "*": handler() }, deduplication: false });
    await publish({ id: "a" });
    await publish({ id: "a" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    expect(await handled()).toEqual(["a"]);
  });
});

describe("an event with hostile content", () => {
  it("is told apart from every other event", async () => {
    const { inbox, keys } = await setUp();
    const hostile = [
      "'; drop table orders; --",
      '","',
      "nul \0",
      "\ud800",
      "\udc00",
      "\ufffd",
      "x".repeat(10_000),
      "x".repeat(10_001),
    ];
    const events = hostile.flatMap((text) => [
      { id: text, source: "/shop" },
      { id: "1", source: text },
    ]);
    const handler = inbox.handler(() => {});
    for (const { id, source } of [...events, ...events]) {
      await handler(...delivered(id, { source }));
    }
    expect(await keys()).toBe(events.length);
  });
});

describe("a connection", () => {
  it("is not waited for by an event whose deadline has passed", async () => {
    const { handler, calls } = await setUp();
    const late = delivered("a", { signal: AbortSignal.abort() });
    await expect(handler()(...late)).rejects.toMatchObject({ code: "ERR_INBOX_OVERDUE" });
    expect(calls()).toBe(0);
  });

  it("is waited for until the deadline, not longer", async () => {
    const { listen, calls } = await setUp();
    const handler = heldWork();
    const timer = new ManualClock();
    const { deliver } = await listen(handler.run, { timer });
    const delivering = Promise.all([deliver(anEvent()), deliver(anEvent())]);
    await handler.started;
    await timer.advanceUntil(delivering, 30_000);
    expect((await delivering).map(({ status }) => status)).toEqual([503, 503]);
    expect(calls()).toBe(1);
    handler.end();
  });

  it("is committed by a handler that finishes after the deadline", async () => {
    const { listen, handled, calls } = await setUp();
    const started = gate();
    const timer = new ManualClock();
    const wait: Handler = (_, { signal }) => {
      started.open();
      return aborted(signal);
    };
    const { deliver } = await listen(wait, { timer });
    const event = anEvent();
    const delivering = deliver(event);
    await started.passed;
    await timer.advanceUntil(delivering, 30_000);
    expect((await delivering).status).toBe(503);
    await expect.poll(handled).toEqual([event.id]);
    expect((await deliver(event)).status).toBe(200);
    expect(calls()).toBe(1);
  });

  it("is taken from a handler that goes on for too long, here one that waits for itself", async () => {
    const { listen, handled } = await setUp({ overdueMs: 1 });
    const errors: unknown[] = [];
    const started = gate();
    const ended = gate();
    const timer = new ManualClock();
    const waitForItself: Handler = async (_, { client }) => {
      started.open();
      // PGlite has one connection, which this handler holds.
      await database.pool.query("select 1");
      await client.query("select 1").catch((error: Error) => errors.push(error.message));
      ended.open();
    };
    const { deliver } = await listen(waitForItself, { timer });
    const delivering = deliver(anEvent());
    await started.passed;
    await timer.advanceUntil(delivering, 30_000);
    expect((await delivering).status).toBe(503);
    await ended.passed;
    expect(errors).toEqual(["Transaction is closed"]);
    expect(await handled()).toEqual([]);
  });

  it("is taken from handlers when the inbox closes, which then refuses events", async () => {
    const { inbox, listen, handled, calls } = await setUp();
    const started = gate();
    const { deliver } = await listen(() => {
      started.open();
      return new Promise(() => {});
    });
    const delivering = deliver(anEvent());
    await started.passed;
    await inbox.close();
    expect((await delivering).status).toBe(503);
    expect((await deliver(anEvent())).status).toBe(503);
    expect([calls(), await handled()]).toEqual([1, []]);
  });
});

describe("the table", () => {
  it("makes the start and each event fail while it is missing", async () => {
    const schema = "without_inbox";
    const { inbox, listen } = await setUp({ schema });
    await expect(inbox.start()).rejects.toThrow(
      /eventgrid_inbox is missing: run the SQL that `npx/,
    );
    const { deliver } = await listen();
    expect((await deliver(anEvent())).status).toBe(503);
    await database.pool.exec(`create schema ${schema}; create table ${schema}.orders (id text)`);
    await database.pool.exec(tablesSql({ schema }));
    expect((await deliver(anEvent())).status).toBe(200);
  });
});

it("reports every invalid option of an inbox at once", () => {
  const options = { pool: Promise.resolve(), overdueMs: -1, retentionMs: 1 };
  expect(() => createInbox(options as unknown as InboxOptions)).toThrowError(
    expect.objectContaining({
      code: "ERR_CONFIGURATION",
      message: expect.stringContaining(
        "pool must be a pool of pg, a database of PGlite, or an object with transaction(work) and max, but is a promise: await it",
      ),
      problems: ["consumer", "pool", "overdueMs", "retentionMs"].map((field) =>
        expect.objectContaining({ field }),
      ),
    }),
  );
});

const namespace = await startNamespace();

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}
