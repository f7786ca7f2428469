import { array as arrayOf, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { type Linked, LinkedList } from "../../../runtime/src/collections.js";

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
