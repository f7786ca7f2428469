import { describe, expect, it } from "vitest";
import { clock, json, pairs, seconds, wholeNumber } from "../../../local/src/cli/options.js";

describe("an option of the local Azure", () => {
  it("is read by its form", () => {
    expect(["1.5", "90s", "5m", "2h", "1d"].map(seconds)).toEqual([1.5, 90, 300, 7_200, 86_400]);
    expect(["real", "stepped", "1", "100000"].map(clock)).toEqual([
      "real",
      "stepped",
      { scale: 1 },
      { scale: 100_000 },
    ]);
    expect(["1", "10"].map(wholeNumber(1, 10))).toEqual([1, 10]);
    const earlier = { "https://x": "http://y" };
    expect(pairs("")(" https://a=http://b?c=d  e=f", earlier)).toEqual({
      ...earlier,
      "https://a": "http://b?c=d",
      e: "f",
    });
  });

  it.each<[string, (text: string) => unknown, string[]]>([
    ["It must be a duration such as 90s, 5m", seconds, ["", "-1s", "1w", "1.2345s"]],
    ["It must be real, stepped or a whole", clock, ["fast", "0", "1.5", "100001"]],
    ["It must be a whole number from 1 to 10.", wholeNumber(1, 10), ["", "0", "11", "1.5"]],
    ["It must be A=B.", pairs("A=B"), ["a", "=b"]],
  ])("is refused: %s", (message, read, texts) => {
    for (const text of texts) expect(() => read(text), text).toThrow(message);
  });
});

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
