import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createOutboxWith } from "../../../../runtime/src/postgres/outbox.js";
import { OutboxTable } from "../../../../runtime/src/postgres/outbox-table.js";
import { gate } from "../../../support/gate.js";
import { measuring } from "../../../support/measuring.js";
import { root } from "../../../support/project.js";
import { ACCEPTED, refused, TopicServer } from "../../../support/topic-server.js";
import { answersInOrder, startTopic } from "../../publisher/harness.js";
import { TestDatabase } from "../database.js";
import { ids, type OutboxSettings, startOutbox } from "../outbox-service.js";

/** Between two tries to store an outcome. */
const FIRST_DELAY_MS = 1_000;
const database = new TestDatabase();
const topic = await startTopic();
const setUp = (settings?: OutboxSettings) => startOutbox(database, topic, settings);

/** The statements that give events another topic, and that list and release those set aside. */
function statementsOfPage(schema: string): [string, string] {
  const page = readFileSync(join(root, "docs/exactly-once.md"), "utf8");
  const [move = "", release = ""] = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(
    ({ 1: sql = "" }) => sql.replaceAll("eventgrid_outbox", `${schema}.eventgrid_outbox`),
  );
  return [move, release];
}

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

    await clock.whenScheduled(1_000);
    const free = gate();
    const held = database.pool.transaction(() => free.passed);
    clock.advance(1_000);
    // It looks before the event is there.
    await clock.whenScheduled(10_000);
    const stored = store("woken while it looked");
    outbox.wake();
    free.open();
    await Promise.all([held, stored]);
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toEqual(["polled", "woken", "woken while it looked"]);
    await clock.whenScheduled(1_000);
  });

  it("publishes two claims of 500 events at a time, and the next one without a pause", async () => {
    const { schema, outbox, store, waiting } = await setUp();
    const many = Array.from({ length: 1_100 }, (_, index) => `${index}`);
    await store(...many);
    const free = gate();
    const claims = vi.spyOn(OutboxTable.prototype, "claim");
    onTestFinished(() => claims.mockRestore());
    topic.answer = () => free.passed.then(() => ACCEPTED);
    await outbox.start();
    await expect.poll(() => topic.requests.flatMap(({ events }) => events)).toHaveLength(1_000);
    const leased = `select count(lease)::int from ${schema}.eventgrid_outbox`;
    expect(await database.rows(leased)).toEqual([{ count: 1_000 }]);
    free.open();
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted).toSorted()).toEqual(many.toSorted());
    // They shared requests.
    expect(topic.requests.length).toBeLessThan(50);
    // After the one with which it starts, none visits again what is being published.
    expect(claims.mock.calls.slice(1, 4).map(([, , after]) => after)).toEqual(["0", "500", "1000"]);
  });

  it("begins with the oldest events every second while it is busy, and once it is not busy any more", async () => {
    const { schema, clock, outbox, store, waiting } = await setUp();
    await store("late", "last", ...Array.from({ length: 1_600 }, (_, index) => `${index}`));
    const table = `${schema}.eventgrid_outbox`;
    const rows = await database.rows(
      `delete from ${table} where id <= 2 returning id, topic, body`,
    );
    const insert = `insert into ${table} (id, topic, body) overriding system value values ($1, $2, $3)`;
    const commit = async (seconds: number) => {
      const row = rows.shift();
      await database.pool.query(insert, [row?.id, row?.topic, row?.body]);
      clock.advance(seconds * 1_000);
    };
    topic.answer = async ({ events }) => {
      if (rows.length === 2) await commit(1);
      else if (ids(events).includes("1599")) await commit(0);
      return ACCEPTED;
    };
    await outbox.start();
    await expect.poll(waiting).toEqual([]);
    const requestOf = (id: string) =>
      topic.requests.findIndex(({ events }) => ids(events).includes(id));
    expect(requestOf("late")).toBeGreaterThan(0);
    expect(requestOf("last")).toBeGreaterThan(requestOf("late"));
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
    "sets aside an event that Event Grid refuses with %i, with the beginning of the reason, and publishes the others",
    async (status) => {
      const { schema, clock, log, outbox, store, waiting, failed } = await setUp();
      await store("1", "bad", "2", "3");
      topic.answer = ({ events }) =>
        ids(events).includes("bad")
          ? refused(status, "Refused", `\0 ${"because ".repeat(500)}`)
          : ACCEPTED;
      await outbox.start();
      await clock.whenScheduled(1_000);
      expect(ids(topic.accepted).toSorted()).toEqual(["1", "2", "3"]);
      // Without the NUL, and with an ellipsis.
      const failure = expect.stringMatching(new RegExp(`^[^]*${status}[^]*because[^]*…$`, "u"));
      const set = await failed();
      expect(set).toMatchObject([{ body: expect.stringContaining('"id":"bad"'), failure }]);
      expect(set[0]?.failure).toHaveLength(1_000);
      expect(log.withMessage("event set aside: it cannot be published")).toHaveLength(1);

      topic.answer = () => ACCEPTED;
      const [listed] = await database.pool.exec(statementsOfPage(schema)[1]);
      expect(listed?.rows).toMatchObject([{ failure: expect.stringContaining(`${status}`) }]);
      clock.advance(1_000);
      await expect.poll(waiting).toEqual([]);
      expect(ids(topic.accepted)).toContain("bad");
    },
  );

  it("publishes only once what Event Grid accepted beside an event that it refused", async () => {
    const { meterProvider, measured } = measuring();
    const { outbox, clock, failed } = await setUp({ telemetry: { meterProvider } });
    const data = "x".repeat(400_000);
    const events = ["1", "2", "bad", "3"].map((id) => ({ type: "shop.order.placed", id, data }));
    await outbox.add(database.pool, events);
    topic.answer = ({ events }) =>
      ids(events).includes("bad") ? refused(400, "Refused", "the event is bad") : ACCEPTED;
    await outbox.start();
    await clock.whenScheduled(1_000);
    // They need two requests.
    expect(ids(topic.accepted).toSorted()).toEqual(["1", "2", "3"]);
    expect(await failed()).toMatchObject([{ body: expect.stringContaining('"id":"bad"') }]);
    clock.advance(15_000);
    const none = [
      ["other", 0],
      ["own", 0],
    ];
    await expect
      .poll(async () => (await measured()).values)
      .toMatchObject({
        "eventgrid.outbox.events": [
          ["published", 3],
          ["set-aside", 1],
        ],
        "eventgrid.outbox.events.waiting": none,
        "eventgrid.outbox.oldest_event.age": none,
      });
  });

  it("keeps its events while Event Grid refuses to take them, with warnings, and tries again, at most every 30 s", async () => {
    const { clock, log, outbox, store, waiting, failed } = await setUp();
    await store("1", "2");
    const statuses = [401, 401, 403, 404, 503, 503, 503];
    answersInOrder(topic, ...statuses.map((status) => refused(status, "Refused", "not now")));
    await outbox.start();
    for (const [failures, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await clock.whenScheduled(seconds * 1_000);
      outbox.wake();
      expect(topic.requests).toHaveLength(failures + 1);
      expect(await waiting()).toEqual(["1", "2"]);
      clock.advance(seconds * 1_000);
      await topic.arrivals(failures + 2);
    }
    await expect.poll(waiting).toEqual([]);
    expect(await failed()).toEqual([]);
    const warned = [401, 403, 404, 503, 503, 503].map((status) => ({
      ...{ level: "warn", events: 2 },
      err: { message: expect.stringContaining(`${status}`) },
    }));
    expect(log.withMessage("events stay in the outbox: trying again")).toMatchObject(warned);

    await store("3");
    outbox.wake();
    await expect.poll(waiting).toEqual([]);
  });

  it("tries again without a word while other transactions keep it from claiming", async () => {
    const { schema, clock, log, outbox, store, waiting } = await setUp();
    await store("1");
    // Each statement, and each of its three tries, fails as those of serializable relays do.
    await database.pool.exec(`create function ${schema}.conflict() returns trigger language plpgsql as
      $$ begin raise sqlstate '40001'; end $$;
      create trigger conflict before update on ${schema}.eventgrid_outbox
      for each row execute function ${schema}.conflict()`);
    await outbox.start();
    for (const seconds of [1, 2, 4]) {
      await clock.whenScheduled(seconds * 1_000);
      clock.advance(seconds * 1_000);
    }
    await clock.whenScheduled(8_000);
    expect([await waiting(), log.lines]).toEqual([["1"], []]);
    await database.pool.exec(`drop trigger conflict on ${schema}.eventgrid_outbox`);
    clock.advance(8_000);
    await expect.poll(waiting).toEqual([]);
  });

  it("gives claims the more time the more have failed, and begins anew once one succeeds", async () => {
    const { schema, clock, outbox } = await setUp();
    await outbox.start();
    await clock.whenScheduled(1_000);
    await database.pool.exec(`alter table ${schema}.eventgrid_outbox rename to away`);
    const scheduled = vi.spyOn(clock, "schedule");
    const claim = async (waitSeconds: number, limitSeconds: number) => {
      await clock.whenScheduled(waitSeconds * 1_000);
      const limit = clock.whenScheduled(limitSeconds * 1_000);
      clock.advance(waitSeconds * 1_000);
      await limit;
    };
    for (const [index, seconds] of [1, 1, 2, 4, 8, 16, 30].entries()) {
      await claim(seconds, 10 * Math.min(6, index + 1));
    }
    await clock.whenScheduled(30_000);
    await database.pool.exec(`alter table ${schema}.away rename to eventgrid_outbox`);
    await claim(30, 60);
    await claim(1, 10);
    // Other timers of 60 s run, too.
    const lengths = scheduled.mock.calls.map(([milliseconds]) => milliseconds);
    expect(lengths.filter((each) => each === 50_000 || each === 70_000)).toEqual([50_000]);
  });

  it.each([
    ["once while its lease lasts", 60_000, 1],
    ["again after its lease", 60_001, 2],
  ])("publishes an event whose outcome cannot be stored %s", async (_, passed, times) => {
    const { schema, clock, log, outbox, store, waiting } = await setUp();
    const table = `${schema}.eventgrid_outbox`;
    await store("1");
    topic.answer = async () => {
      await database.pool.exec(`alter table ${table} rename to away`);
      return ACCEPTED;
    };
    await outbox.start();
    await clock.whenScheduled(FIRST_DELAY_MS);
    clock.advance(passed);
    if (times === 1) await clock.whenScheduled(FIRST_DELAY_MS);
    else
      await expect
        .poll(() => log.withMessage("the outbox cannot be read: trying again"))
        .toHaveLength(1);
    topic.answer = () => ACCEPTED;
    await database.pool.exec(`alter table ${schema}.away rename to eventgrid_outbox`);
    await database.pool.exec(
      `update ${table} set leased_until = clock_timestamp() - interval '1 s'`,
    );
    await expect
      .poll(() => {
        clock.advance(1_000);
        return waiting();
      })
      .toEqual([]);
    expect(ids(topic.accepted)).toEqual(Array(times).fill("1"));
  });

  it("leaves to other relays what it has not published when it closes", async () => {
    const { clock, log, outbox, store, schema } = await setUp();
    await store("1");
    topic.answer = () => "hang";
    await outbox.start();
    await topic.arrivals(1);
    await clock.whenScheduled(15_000);
    const closing = outbox.close();
    await clock.whenScheduled(10_000);
    await clock.pass(5_000);
    await closing;
    await clock.whenIdle();
    expect(log.lines).toEqual([]);
    const rows = await database.rows(`select lease, leased_until from ${schema}.eventgrid_outbox`);
    expect(rows).toEqual([{ lease: null, leased_until: null }]);
  });

  it("leaves no statement and no timer behind when it closes while PostgreSQL does not answer", async () => {
    const { clock, outbox } = await setUp();
    await outbox.start();
    await clock.whenScheduled(15_000);
    const free = gate();
    const held = database.pool.transaction(() => free.passed);
    await clock.whenScheduled(1_000);
    clock.advance(15_000);
    await clock.whenScheduled(60_000);
    await clock.whenScheduled(10_000);
    clock.advance(5_000);
    const closing = outbox.close();
    clock.advance(5_000);
    await closing;
    await clock.whenIdle();
    free.open();
    await held;
    await clock.whenIdle();
  });

  it("publishes events of a former endpoint when they have been given its topic", async () => {
    const { schema, clock, outbox, store, waiting } = await setUp();
    await store("1");
    const own = await database.rows(`select topic from ${schema}.eventgrid_outbox`);
    await database.pool.exec(
      `update ${schema}.eventgrid_outbox set topic = 'old.westeurope-1.eventgrid.azure.net/api/events'`,
    );
    await outbox.start();
    await clock.whenScheduled(1_000);
    expect(await waiting()).toEqual(["1"]);
    const [move] = statementsOfPage(schema);
    await database.pool.exec(move.replace(/shop\.[^']+/, String(own[0]?.topic)));
    clock.advance(1_000);
    await expect.poll(waiting).toEqual([]);
    expect(ids(topic.accepted)).toEqual(["1"]);
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
    await expect
      .poll(shop.failed)
      .toMatchObject(["bad", "worse"].map((id) => ({ body: expect.stringContaining(`"${id}"`) })));
  });
});
