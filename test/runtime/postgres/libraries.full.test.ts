import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWith } from "../../support/describe-with.js";
import { CELLS, CONNECTIONS, Databases } from "./agreement.js";
import { libraries, postgresJs } from "./libraries.js";

const TIMEOUT = { timeout: 600_000 };

describeWith(
  "pgbouncer",
  "effects and acknowledgements of a service",
  () => {
    let databases: Databases;
    beforeAll(async () => {
      databases = await Databases.start();
    });
    afterAll(() => databases[Symbol.asyncDispose]());

    describe.each(CONNECTIONS)("%s", (connection) => {
      it.each(Object.entries(libraries))(
        "agree with %s, however a function ends and whenever a connection is lost",
        async (_, libraryOf) => {
          await using service = await databases.connect(connection, libraryOf);
          expect(await service.findings("handle", CELLS)).toEqual([]);
          expect(await service.findings("place", CELLS)).toEqual([]);
        },
      );
    });

    it("agree with a library whose commits roll back without an error, such as postgres.js behind PgBouncer", async () => {
      await using service = await databases.connect("PgBouncer (transaction)", postgresJs);
      const { acknowledged, effects } = await service.handleAtOnce(100);
      expect(effects).toBe(acknowledged);
    });
  },
  TIMEOUT,
);
