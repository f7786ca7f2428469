import { describe, expect, it } from "vitest";
import { inputProps } from "./example-props.js";
import { messagesFor } from "./problem-messages.js";

const input = (changes: object) => messagesFor({ ...inputProps, ...changes });

describe("8 eventSubscriptionName length: 3 to 64 characters", () => {
  it.each([
    [2, 1],
    [3, 0],
    [64, 0],
    [65, 1],
  ])("%i characters", (length, problems) => {
    expect(input({ eventSubscriptionName: "a".repeat(length) })).toHaveLength(problems);
  });
});

describe("8 eventSubscriptionName characters: alphanumeric only", () => {
  it("takes letters of both cases and digits, and no others", () => {
    expect(input({ eventSubscriptionName: "Orders24" })).toEqual([]);
    for (const character of ["-", "_", ".", " ", "é", "\n"]) {
      expect(input({ eventSubscriptionName: `orders${character}` })).toHaveLength(1);
    }
  });
});

describe("8 handshakePort: passed as a string (quoted)", () => {
  it("takes the string and refuses the number", () => {
    expect(input({ handshakePort: "9000" })).toEqual([]);
    expect(input({ handshakePort: 9000 })).toEqual([
      'handshakePort must be a string (put it in quotes: "9000"), but is the number 9000',
    ]);
  });
});
