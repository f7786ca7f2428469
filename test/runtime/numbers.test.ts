import { expect, it } from "vitest";
import { wholeNumberIn } from "../../runtime/src/numbers.js";

it("reads digits only, as far as numbers are exact", () => {
  expect(["0", "0042", "9007199254740991"].map(wholeNumberIn)).toEqual([0, 42, 2 ** 53 - 1]);
  for (const text of [undefined, "", " 1", "1.5", "-1", "1e3", "0x1", "9007199254740992"]) {
    expect(wholeNumberIn(text), text).toBeUndefined();
  }
});
