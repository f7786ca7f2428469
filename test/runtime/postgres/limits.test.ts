import type { Transaction } from "@electric-sql/pglite";
import { describe, expect, it, onTestFinished } from "vitest";
import { createInboxWith } from "../../../runtime/src/postgres/inbox.js";
import { Ending, Slots } from "../../../runtime/src/postgres/limits.js";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { delivered, TestDatabase } from "./database.js";

const database = new TestDatabase();

describe("the slots of a pool", () => {
  it("are as many as its size, also after all were free again, first come, first served", async () => {
    const slots = new Slots(2);
    const ending = new Ending();
    const taken: string[] = [];
    const take = async (name: string) => {
      await slots.take(ending);
      taken.push(name);
    };
    for (const round of [1, 2]) {
      taken.length = 0;
      const all = ["a", "b", "c", "d"].map(take);
      await new Promise(setImmediate);
      expect(taken, `round ${round}`).toEqual(["a", "b"]);
      slots.release();
      await new Promise(setImmediate);
      expect(taken).toEqual(["a", "b", "c"]);
      slots.release();
      await Promise.all(all);
      slots.release();
      slots.release();
    }
  });

  it("are not waited for after the ending, whose first error counts", async () => {
    const slots = new Slots(1);
    const ending = new Ending();
    await slots.take(ending);
    const patient = slots.take(new Ending());
    const waiting = slots.take(ending);
    ending.pass(new Error("first"));
    ending.pass(new Error("second"));
    await expect(waiting).rejects.toThrow("first");
    await expect(slots.take(ending)).rejects.toThrow("first");
    slots.release();
    await patient;
  });

  it.each([1, 2, 3])(
    "are half of a pool of %i, and at least one, whichever inboxes share it",
    async (max) => {
      const schema = await database.schema();
      let begun = 0;
      const pool = {
        max,
        transaction: <T>(work: (client: Transaction) => Promise<T>) => {
          begun += 1;
          return database.pool.transaction(work);
        },
      };
      const free = gate();
      const inboxes = ["shipping", "billing"].map((consumer) => {
        const clock = new ManualClock();
        const inbox = createInboxWith({ pool, schema, consumer, logger: false }, clock);
        onTestFinished(() => inbox.close());
        return { inbox, cleaned: clock.whenScheduled(60_000) };
      });
      for (const { inbox, cleaned } of inboxes) {
        await inbox.start();
        await cleaned;
      }
      begun = 0;
      const handling = inboxes.map(({ inbox }) =>
        inbox.handler(() => free.passed)(...delivered("a")),
      );
      await expect.poll(() => begun).toBe(1);
      await new Promise(setImmediate);
      expect(begun).toBe(1);
      free.open();
      await Promise.all(handling);
    },
  );
});
