import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Statements } from "../../../runtime/src/postgres/connections.js";
import { databaseOf } from "../../../runtime/src/postgres/database.js";
import { OutboxTable } from "../../../runtime/src/postgres/outbox-table.js";
import { ManualClock } from "../../support/manual-clock.js";
import { TestDatabase } from "./database.js";

const database = new TestDatabase();

/** A table with events of that many bytes. */
async function tableWith(...sizes: readonly number[]) {
  const schema = await database.schema();
  const table = new OutboxTable("shop.example/api/events", { schema, leaseMs: 90_000 });
  const events = sizes.map((size, index) => {
    const json = "x".repeat(size);
    return { id: `${index}`, type: "", json, bytes: size };
  });
  await table.add(database.pool, events);
  const statements = databaseOf(database.pool, new ManualClock());
  const claim = async (after: string, maxRows: number, maxBytes: number, lease = randomUUID()) => {
    const rows = await table.claim(statements, lease, after, maxRows, maxBytes);
    return rows.map(({ id, bytes }) => `${id}: ${bytes}`).toSorted();
  };
  const rows = (columns: string) =>
    database.rows(`select ${columns} from ${schema}.eventgrid_outbox order by id`);
  return { table, statements, claim, rows };
}

describe("a claim of the outbox", () => {
  it("takes rows until their bytes are reached, which one row may exceed", async () => {
    const { claim } = await tableWith(4, 4, 4, 4, 4);
    expect(await claim("0", 10, 8)).toEqual(["1: 4", "2: 4"]);
    expect(await claim("0", 10, 9)).toEqual(["3: 4", "4: 4", "5: 4"]);
    expect(await claim("0", 10, 9)).toEqual([]);
  });

  it("takes no more rows than it may, after a row, and leaves them leased", async () => {
    const { claim, rows } = await tableWith(1, 2, 3, 4);
    const lease = randomUUID();
    const [begun] = await rows("clock_timestamp()::text as at");
    expect(await claim("1", 2, 100, lease)).toEqual(["2: 2", "3: 3"]);
    expect(await claim("1", 2, 100)).toEqual(["4: 4"]);
    expect(await rows(`lease = '${lease}' as own`)).toEqual(
      [null, true, true, false].map((own) => ({ own })),
    );
    const until = (at: string) => `extract(epoch from leased_until - ${at})::float8`;
    const [, leased] = await rows(
      `${until(`'${begun?.at}'`)} as most, ${until("clock_timestamp()")} as least`,
    );
    expect(leased?.most).toBeGreaterThanOrEqual(90);
    expect(leased?.least).toBeLessThanOrEqual(90);
  });
});

it("sets an event aside in ASCII where the database's encoding lacks a character of the reason", async () => {
  const { table, statements, claim, rows } = await tableWith(1);
  const lease = randomUUID();
  await claim("0", 1, 1, lease);
  const latin: Statements = {
    async query(text, values, limits) {
      if (/[^\0-\xff]/.test(String(values))) throw Object.assign(new Error(), { code: "22P05" });
      return statements.query(text, values, limits);
    },
  };
  await table.setAside(latin, lease, "1", "refused: “Größe” …");
  expect(await rows("failure")).toEqual([{ failure: "refused: ?Gr??e? ?" }]);
});

it("claims by the index alone, which finds both ends of the rows", async () => {
  const { table } = await tableWith();
  const plans: unknown[] = [];
  const explaining: Statements = {
    async query(text, values) {
      const { rows } = await database.pool.query(`explain ${text}`, [...(values ?? [])]);
      plans.push(...rows.map((row) => Object.values(Object(row))[0]));
      return [];
    },
  };
  await table.claim(explaining, randomUUID(), "0", 500, 4_096);
  expect(plans).toContainEqual(expect.stringMatching(/Index Cond: .*ROW.* >= ROW.* <= ROW/));
});

it("adds more events than one statement has parameters for", async () => {
  const { table, statements } = await tableWith(...Array.from({ length: 2_000 }, () => 1));
  expect(await table.status(statements)).toMatchObject([{ topic: table.topic, waiting: 2_000 }]);
});
