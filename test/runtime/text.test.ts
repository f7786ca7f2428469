import { expect, it } from "vitest";
import { groupsOf, split } from "../../runtime/src/text.js";

it("a group that takes no part in a match is empty, and all are without a match or a text", () => {
  expect(groupsOf(/(1)(2)?(3)?(4)/, "14")).toEqual(["1", "", "", "4"]);
  const none = ["", "", "", ""];
  expect([groupsOf(/(1)/, "2"), groupsOf(/(u)/, undefined)]).toEqual([none, none]);
});

it("a text has one part or more, even if it is empty", () => {
  expect([split("a/b/c", "/"), split("a", /b/), split("", "")]).toEqual([
    ["a", "b", "c"],
    ["a"],
    [""],
  ]);
});
