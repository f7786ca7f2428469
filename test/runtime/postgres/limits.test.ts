import { describe, expect, it } from "vitest";
import { Ending, Slots } from "../../../runtime/src/postgres/limits.js";

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
});
