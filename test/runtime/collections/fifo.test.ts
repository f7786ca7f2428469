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

  it("takes about as long per item with a million items as with ten thousand", () => {
    const perItem = (count: number) => {
      const fifo = new Fifo<number>();
      const started = process.cpuUsage();
      for (let item = 1; item <= count; item += 1) fifo.push(item);
      while (fifo.shift() !== undefined);
      return process.cpuUsage(started).user / count;
    };
    perItem(10_000);
    // Time of the processor, which other processes do not prolong. With shift() of an array the
    // factor is several hundred.
    expect(perItem(1_000_000)).toBeLessThan(50 * Math.max(perItem(10_000), 0.1));
  });
});
