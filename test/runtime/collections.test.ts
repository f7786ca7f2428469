import { array as arrayOf, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { Fifo, type Linked, LinkedList } from "../../runtime/src/collections.js";

describe("a Fifo", () => {
  it("returns items in the order in which they were added, also when it was empty before", () => {
    const fifo = new Fifo<number>();
    fifo.push(0);
    expect([fifo.shift(), fifo.shift(), fifo.length]).toEqual([0, undefined, 0]);
    for (let item = 1; item <= 10; item += 1) fifo.push(item);
    const taken = [fifo.shift(), fifo.shift(), fifo.shift()];
    fifo.push(11);
    expect(taken).toEqual([1, 2, 3]);
    expect([...fifo]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    expect([fifo.first, fifo.length]).toEqual([4, 8]);
  });

  it("gives up a million items, which would never end if each moved all the others", () => {
    const fifo = new Fifo<number>();
    for (let item = 1; item <= 1_000_000; item += 1) fifo.push(item);
    while (fifo.shift() !== undefined);
    expect(fifo.length).toBe(0);
  });
});

class Item implements Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;

  constructor(readonly number: number) {}
}

describe("a linked list", () => {
  it("keeps the order of insertion while items are removed, some of them twice", () => {
    const steps = arrayOf(record({ act: constantFrom("add", "add", "remove"), at: nat(20) }));
    assert(
      property(steps, (all) => {
        const list = new LinkedList<Item>();
        const everyone: Item[] = [];
        let expected: Item[] = [];
        for (const { act, at } of all) {
          if (act === "add") {
            const item = new Item(everyone.length);
            everyone.push(item);
            expected.push(item);
            list.add(item);
          } else {
            const item = everyone[at % Math.max(1, everyone.length)];
            if (item === undefined) continue;
            list.remove(item);
            expected = expected.filter((one) => one !== item);
          }
          expect([...list].map(({ number }) => number)).toEqual(
            expected.map(({ number }) => number),
          );
          expect(list.first).toBe(expected[0]);
        }
        for (const item of everyone.filter((one) => !expected.includes(one))) {
          expect(item).toMatchObject({ previous: undefined, next: undefined });
        }
      }),
    );
  });
});
