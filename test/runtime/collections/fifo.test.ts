import { describe, expect, it } from "vitest";
import { Fifo } from "../../../runtime/src/collections.js";

describe("a Fifo", () => {
  it("returns items in the order in which they were added", () => {
    const fifo = new Fifo<number>();
    for (let item = 1; item <= 10; item += 1) fifo.push(item);
    const taken = [fifo.shift(), fifo.shift(), fifo.shift()];
    fifo.push(11);

    expect(taken).toEqual([1, 2, 3]);
    expect([...fifo]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    expect([fifo.first, fifo.length]).toEqual([4, 8]);
  });

  it("is empty when everything was taken, and can be filled again", () => {
    const fifo = new Fifo<number>();
    fifo.push(1);
    expect([fifo.shift(), fifo.shift(), fifo.length]).toEqual([1, undefined, 0]);
    fifo.push(2);
    expect(fifo.first).toBe(2);
  });

  it("moves each item at most once on average, however many it holds", () => {
    const fifo = new Fifo<number>();
    for (let item = 1; item <= 10_000; item += 1) fifo.push(item);
    const moved = movedWhile(() => {
      while (fifo.shift() !== undefined);
    });
    expect(moved).toBeLessThanOrEqual(10_000);
  });
});

/** Counts the items that arrays move or copy. `shift` moves all that it leaves. */
function movedWhile(run: () => void): number {
  const { shift, slice, splice } = Array.prototype;
  let moved = 0;
  const counted = <Result>(result: Result, count: number): Result => {
    moved += count;
    return result;
  };
  Array.prototype.shift = function (this: unknown[]) {
    return counted(shift.call(this), this.length);
  };
  Array.prototype.slice = function (this: unknown[], ...range) {
    const copy = slice.apply(this, range);
    return counted(copy, copy.length);
  };
  Array.prototype.splice = function (this: unknown[], ...change: Parameters<typeof splice>) {
    return counted(splice.apply(this, change), this.length);
  };
  try {
    run();
  } finally {
    Object.assign(Array.prototype, { shift, slice, splice });
  }
  return moved;
}
