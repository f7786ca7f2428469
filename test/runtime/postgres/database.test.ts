import { expect, it } from "vitest";
import type { PgClient, PgPool } from "../../../runtime/src/postgres/connections.js";
import { databaseOf } from "../../../runtime/src/postgres/database.js";
import { ManualClock } from "../../support/manual-clock.js";

/** A pool of pg whose only client answers so, and how its use ends. */
function poolOf(answer: (text: string) => unknown) {
  const ends: string[] = [];
  let listeners = 0;
  const client: PgClient = {
    async query(text) {
      const result = await answer(text);
      if (result instanceof Error) throw result;
      return Object(result);
    },
    release: (destroy) => ends.push(destroy ? "closed" : `given back with ${listeners} listeners`),
    on: () => {
      listeners += 1;
    },
    removeListener: () => {
      listeners -= 1;
    },
  };
  function connect(): Promise<PgClient>;
  function connect(callback: never): void;
  function connect() {
    return Promise.resolve(client);
  }
  const pool: PgPool = { connect, options: {}, query: client.query };
  const clock = new ManualClock();
  return { database: databaseOf(pool, clock), clock, ends };
}

const KEPT = ["given back with 0 listeners"];
const CLOSED = ["closed"];
const state = (code?: string) => Object.assign(new Error(`state ${code}`), { code });

it.each([
  ["has answered", { rows: [] }, KEPT],
  ["has refused a statement", state("22012"), KEPT],
  ["shuts down", state("57P01"), CLOSED],
  ["is gone", state(), CLOSED],
  ["takes no changes", state("25006"), CLOSED],
])("uses a connection again, or closes it, when the server %s", async (_, answer, end) => {
  const { database, ends } = poolOf(() => answer);
  await database.query("select 1").catch(() => {});
  expect(ends).toEqual(end);
});

it("closes a connection whose answer takes longer than the limit", async () => {
  const { database, clock, ends } = poolOf(() => new Promise(() => {}));
  const asked = database.query("select 1", [], { ms: 500 });
  await Promise.all([
    expect(asked).rejects.toThrow(/did not answer within 500 ms/),
    clock.pass(500),
  ]);
  expect(ends).toEqual(CLOSED);
});

const isCommit = (text: string) => text.endsWith("commit");
const committed = (text: string) => isCommit(text) && [{}, { command: "COMMIT" }];
const failing = () => Promise.reject(state("22012"));

it.each<[string, (text: string) => unknown, () => Promise<unknown>, string[]]>([
  ["was committed", committed, async () => 1, KEPT],
  ["was rolled back after its function failed", () => ({}), failing, KEPT],
  ["was rolled back by its commit", () => ({}), async () => 1, KEPT],
  ["cannot be rolled back", (text) => text.includes("rollback") && state(), failing, CLOSED],
  ["is read-only", (text) => isCommit(text) && state("25006"), async () => 1, CLOSED],
])("uses a connection again, or closes it, when a transaction %s", async (_, answer, work, end) => {
  const { database, ends } = poolOf(answer);
  await database.transaction(work).catch(() => {});
  expect(ends).toEqual(end);
});
