import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  eventTexts,
  memberText,
  roundsIntegers,
} from "../../../runtime/src/events/envelope/index.js";

describe("the exact text of events", () => {
  it("has every event of a body as it was written", () => {
    const first = '{ "a": 1.10, "b": [9007199254740993, "],\\"{"] }';
    const second = '{"data":{"c":{}}}';
    expect(eventTexts(` [${first} ,\n${second}] `)).toEqual([first, second]);
    expect(eventTexts(` ${first}\n`)).toEqual([first]);
    expect(eventTexts("[]")).toEqual([]);
  });

  it("has the last of several members with the same key, however it is escaped", () => {
    expect(memberText('{"event":1,"e\\u0076ent":{"a":[2]},"other":3}', "event")).toBe('{"a":[2]}');
    expect(memberText('{"other":{"event":1}}', "event")).toBeUndefined();
  });

  it("is the JSON of each element, for any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        expect(eventTexts(JSON.stringify(values))).toEqual(
          values.map((one) => JSON.stringify(one)),
        );
      }),
    );
  });
});

describe("the look-out for numbers that change", () => {
  it.each([
    ["9007199254740993", true],
    ["-9007199254740993", true],
    ["9007199254740992", false],
    ["10000000000000000000", false],
    ["[1, 123456789012345678]", true],
    ['{"text":"9007199254740993"}', false],
    ["1.10", false],
    ["1".repeat(401), true],
  ])("finds an integer that is rounded: %s", (json, expected) => {
    expect(roundsIntegers(json)).toBe(expected);
  });
});
