import { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith } from "../../support/describe-with.js";
import { Databases } from "./agreement.js";
import { libraries, postgresJs } from "./libraries.js";

describeWith("pgbouncer", "effects and acknowledgements of a service behind PgBouncer", () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await Databases.start();
  });
  afterAll(() => databases[Symbol.asyncDispose]());

  // All combinations are in libraries.full.test.ts.
  const CELLS = [
    { ending: "rolls back", loss: "never" },
    { ending: "rejects with undefined", loss: "before" },
    { ending: "hides that a statement failed", loss: "during" },
    { ending: "commits", loss: "after commit" },
  ] as const;

  it.each(Object.entries(libraries))("agree with %s", async (_, libraryOf) => {
    await using service = await databases.connect("PgBouncer (transaction)", libraryOf);
    expect(await service.findings("handle", CELLS)).toEqual([]);
    expect(await service.findings("place", CELLS)).toEqual([]);
  });

  it("need a pool without startup parameters", async () => {
    let behind = "";
    await using _ = await databases.connect("PgBouncer (session)", (url) => {
      behind = url;
      return postgresJs(url);
    });
    for (const parameter of [{ options: "-c timezone=UTC" }, { statement_timeout: 1_000 }]) {
      const pool = new Pool({ connectionString: behind, ...parameter });
      await expect(pool.query("select")).rejects.toThrow("unsupported startup parameter");
      await pool.end();
    }
  });

  const committed = expect.stringContaining("the handler committed the transaction itself");
  it.each([
    ["Drizzle, with the client of a pool of pg", [committed, "handled", "handled"], 2, 3],
    ["Knex, with the client of a pool of pg", [committed, "handled", "handled"], 2, 3],
    // It sets a savepoint.
    ["Knex, with transactions of its own", ["handled", "handled", "handled"], 1, 2],
  ])(
    "agree when a handler nests a transaction of %s, which may commit",
    async (name, outcomes, calls, effects) => {
      const libraryOf = libraries[name];
      if (libraryOf === undefined) throw new Error("unknown library");
      await using service = await databases.connect("PgBouncer (transaction)", libraryOf);
      expect(await service.handleNested()).toEqual({ outcomes, calls, effects });
    },
  );
});
