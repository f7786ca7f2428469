import { expect, it } from "vitest";
import { cached, Groups, itemsOf, present } from "../../cli/src/collections.js";

it("groups keep the items of a key in their order, and have none for other keys", () => {
  const groups = new Groups<string, number>();
  for (const [key, item] of [
    ["a", 1],
    ["b", 2],
    ["a", 3],
  ] as const)
    groups.add(key, item);
  expect([groups.of("a"), groups.of("c"), groups.has("a"), groups.has("c")]).toEqual([
    [1, 3],
    [],
    true,
    false,
  ]);
  expect([...groups]).toEqual([
    ["a", [1, 3]],
    ["b", [2]],
  ]);
});

it("a cache makes each value once, one that is undefined as well", () => {
  const cache = new Map<string, undefined>();
  let times = 0;
  const make = () => {
    times += 1;
    return undefined;
  };
  const ask = () => cached(cache, "a", make);
  expect([ask(), ask(), times]).toEqual([undefined, undefined, 1]);
});

it("a single value is a list of itself, and nothing an empty one", () => {
  expect([["a"], "a", "", undefined, null].map((value) => itemsOf(value))).toEqual([
    ["a"],
    ["a"],
    [""],
    [],
    [],
  ]);
  expect(present(["a", undefined, ""])).toEqual(["a", ""]);
});
