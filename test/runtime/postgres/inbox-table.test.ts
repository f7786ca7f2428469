import { expect, it } from "vitest";
import {
  executeInsert,
  inboxKeyOf,
  insertKey,
  prepareInsert,
} from "../../../runtime/src/postgres/inbox-table.js";
import { tableOf } from "../../../runtime/src/postgres/tables.js";
import { delivered, TestDatabase } from "./database.js";

const database = new TestDatabase();

it("inserts a key once, with the statement that a connection has prepared for its schema and without it", async () => {
  for (const schema of [await database.schema(), await database.schema()]) {
    const table = tableOf("inbox", schema);
    await database.pool.exec(prepareInsert(table));
    const inserted: unknown[] = [];
    for (const id of ["a", "b"]) {
      const key = inboxKeyOf(table, "shipping", ...delivered(id));
      if (key === undefined) throw new Error("no key");
      const statements = [executeInsert(key), insertKey(key)];
      for (const statement of id === "a" ? statements : statements.reverse()) {
        inserted.push((await database.rows(statement)).length);
      }
    }
    expect(inserted).toEqual([1, 0, 1, 0]);
    const consumers = await database.rows(`select consumer from ${table}`);
    expect(consumers).toEqual(Array(2).fill({ consumer: "shipping" }));
  }
});
