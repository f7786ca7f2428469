import { expect, it } from "vitest";
import { hyphenated, NameRule } from "../../../local/src/base/index.js";

const rule = new NameRule({
  least: 2,
  most: 4,
  characters: ["letters", "periods", "single hyphens", "underscores", "slashes", "tildes"],
  first: ["lower-case letters", "periods"],
  last: ["letters"],
});

it("takes names of the right length, characters and ends", () => {
  const names = ["aZ", ".zA", "a-.z", "a_/z", "a~bc"];
  const others = ["", "a", "abcde", "Aa", "-a", "a-", "a9b", "a,b", "a+b", "a--b", "a:b"];
  expect([...names, ...others].filter((name) => rule.allows(name))).toEqual(names);
  expect(["a9", "9a", "a-9"].filter((name) => hyphenated(2, 2).allows(name))).toEqual(["a9", "9a"]);
});

it("takes at the end what it takes at the beginning, and there what it takes inside", () => {
  const same = new NameRule({ least: 1, most: 3, characters: ["digits", "hyphens"] });
  expect(["--", "-1-", "1a"].filter((name) => same.allows(name))).toEqual(["--", "-1-"]);
  const closed = new NameRule({
    least: 1,
    most: 3,
    characters: ["digits", "hyphens"],
    first: ["digits"],
  });
  expect(["1--", "--1", "1-1", "1"].filter((name) => closed.allows(name))).toEqual(["1-1", "1"]);
});

it("says the rule in words", () => {
  expect(`${hyphenated(3, 64)}`).toBe("3 to 64 letters, digits or hyphens");
});
