import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith } from "../../support/describe-with.js";
import { Databases } from "./agreement.js";
import { libraries } from "./libraries.js";

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
});
