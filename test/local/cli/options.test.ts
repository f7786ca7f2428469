import { describe, expect, it } from "vitest";
import { json } from "../../../local/src/cli/options.js";

describe("JSON on the command line of the local Azure", () => {
  it.each(["9007199254740993", '{"account":-9007199254740993}', `[1,${"1".repeat(400)}]`])(
    "is refused if an integer would lose digits: %.40s",
    (text) => {
      expect(() => json(text)).toThrow(/would lose digits/);
    },
  );

  it.each(["9007199254740992", '"9007199254740993"', "1.10", '{"12345678901234567":1}'])(
    "is read otherwise: %s",
    (text) => {
      expect(json(text)).toEqual(JSON.parse(text));
    },
  );
});
