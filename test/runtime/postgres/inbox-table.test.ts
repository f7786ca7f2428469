import { describe, expect, it, onTestFinished } from "vitest";
import { createInboxWith } from "../../../runtime/src/postgres/inbox.js";
import {
  executeInsert,
  inboxKeyOf,
  insertKey,
  prepareInsert,
} from "../../../runtime/src/postgres/inbox-table.js";
import { tableOf } from "../../../runtime/src/postgres/tables.js";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { CollectingLog } from "../receiver/service.js";
import { delivered, TestDatabase } from "./database.js";

const database = new TestDatabase();

it("inserts a key once, with the statement that a connection has prepared for its schema and without it", async () => {
  const locks = new Set<unknown>();
  for (const schema of [await database.schema(), await database.schema()]) {
    const table = tableOf("inbox", schema);
    await database.pool.exec(prepareInsert(table));
    const inserted: unknown[] = [];
    for (const id of ["a", "b"]) {
      const key = inboxKeyOf(table, "shipping", ...delivered(id));
      if (key === undefined) throw new Error("no key");
      const statements = [executeInsert(key), insertKey(key)];
      locks.add(/lock\((\d+)\)/.exec(insertKey(key))?.[1]);
      for (const statement of id === "a" ? statements : statements.reverse()) {
        inserted.push((await database.rows(statement)).length);
      }
    }
    expect(inserted).toEqual([1, 0, 1, 0]);
    const consumers = await database.rows(`select consumer from ${table}`);
    expect(consumers).toEqual(Array(2).fill({ consumer: "shipping" }));
  }
  // Services with a schema each do not wait for each other.
  expect(locks.size).toBe(4);
});

describe("the table", () => {
  it("loses a consumer's keys after its own retention, in steps, while its inbox runs", async () => {
    const schema = await database.schema();
    const clock = new ManualClock();
    const { pool } = database;
    const log = new CollectingLog();
    const inbox = createInboxWith({ pool, schema, consumer: "shipping", logger: log }, clock);
    onTestFinished(() => inbox.close());
    const add = (consumer: string, count: number, days: number) =>
      pool.exec(
        `insert into ${schema}.eventgrid_inbox select sha256('${consumer} ${days} ' || n::text::bytea), '${consumer}', clock_timestamp() - interval '${days} days' from generate_series(1, ${count}) n`,
      );
    await add("shipping", 2_500, 8.004);
    await add("shipping", 2, 7.996);
    await add("billing", 3, 100);
    const left = async () =>
      (await database.rows(`select count(*)::int from ${schema}.eventgrid_inbox`))[0]?.count;
    await inbox.start();
    await clock.whenScheduled(100);
    expect(await left()).toBe(1_505);
    clock.advance(100);
    await clock.pass(100);
    await clock.whenScheduled(60_000);
    expect(await left()).toBe(5);

    const warnings = () => log.withMessage("old keys of the inbox not deleted");
    await pool.exec(`drop table ${schema}.eventgrid_inbox`);
    clock.advance(60_000);
    await expect.poll(warnings).toHaveLength(1);
    const free = gate();
    const held = pool.transaction(() => free.passed);
    await clock.pass(60_000);
    await clock.whenScheduled(10_000);
    await inbox.close();
    await clock.whenIdle();
    free.open();
    await held;
    expect(warnings()).toHaveLength(1);
  });

  it("is cleaned from the first event on if the inbox was not started", async () => {
    const [schema, clock] = [await database.schema(), new ManualClock()];
    const { pool } = database;
    const inbox = createInboxWith({ pool, schema, consumer: "shipping", logger: false }, clock);
    onTestFinished(() => inbox.close());
    const cleaned = clock.whenScheduled(60_000);
    await inbox.handler(() => {})(...delivered("a"));
    await cleaned;
  });
});
