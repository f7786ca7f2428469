import { describe, expect, it } from "vitest";
import { hasSecret, withoutRandomWords } from "../../../runtime/src/validation/secrets.js";

/** A word in which the kind of character changes so many times. */
function word(length: number, changes: number): string {
  const tail = Array.from({ length: changes }, (_, index) => (index % 2 === 0 ? "1" : "X"));
  return "X".repeat(length - changes) + tail.join("");
}
const hex = "abcdef".repeat(6);

describe("a secret", () => {
  it.each([
    ["a label at its beginning", "key=x"],
    ["a credential in a header", "Bearer x"],
    ["a shared access signature", "SharedAccessSignature x"],
    ["a label after a URL", "https://x.example.com/?sig=x and more"],
    ["a label in a URL after words", "see https://x.example.com/?sig=x"],
    ["a word of 32 characters that changes 3 times", word(32, 3)],
    ["a word of 80 characters that changes 4 times", word(80, 4)],
    ["a path with a name of 20 characters that changes 6 times", `/temporary/${word(20, 6)}/a`],
    ["a path from the home folder", `~/temporary/${word(20, 6)}`],
    ["a word with slashes, as Base64 has", `shop/${word(19, 9)}/${word(19, 9)}`],
    ["a word after a long path", `${"/subscriptions".repeat(4)}/${word(40, 3)}=`],
    [
      "a client secret of Entra in a path",
      "/subscriptions/7368Q~PHZnkQDB-OgOwyMBNWCSvwp_GRdVYDIMMK",
    ],
    ["32 bytes in Base64", `"${"K".repeat(43)}="`],
    ["64 bytes in Base64", `${"K".repeat(86)}==`],
    ["32 hexadecimal digits", hex.slice(0, 32)],
    ["the first 5,000 characters", `${"-".repeat(4_994)} key=x`],
  ])("is found in %s", (_, text) => {
    expect(hasSecret(text)).toBe(true);
  });

  it.each([
    ["a URL, whose query is left out anyway", "https://x.example.com/?sig=x"],
    ["a word that only begins like a header", "Basics SharedAccess x"],
    ["a word of 31 characters", word(31, 9)],
    ["a word of 32 characters that changes twice", word(32, 2)],
    ["a word of 84 characters that changes 4 times", word(84, 4)],
    ["the path of a temporary folder", "/tmp/cloud-eventgrid-test-a1B2c3/event.json"],
    ["a path with a name that changes 5 times", `/temporary/${word(20, 5)}/event.json`],
    ["a path with names of 19 characters", `/${word(19, 9)}/${word(19, 9)}`],
    ["a UUID", "a1b2c3d4-e5f6-4a1b-8c2d-3e4f5a6b7c8d"],
    ["words of four letters with numbers", "word1".repeat(7)],
    ["what follows after 5,000 characters", `${"-".repeat(4_995)} key=x`],
    ["hexadecimal digits at an end of a word", `z${hex}`],
    ["hexadecimal digits at the beginning of a word", `${hex}z`],
    ["31 hexadecimal digits between other characters", `-${hex.slice(0, 31)}-`],
  ])("is not seen in %s", (_, text) => {
    expect(hasSecret(text)).toBe(false);
  });
});

it("a message keeps its words and loses the random ones", () => {
  const name = "a-name-of-an-event-subscription-that-is-long";
  expect(withoutRandomWords(`${name} and ${word(40, 5)}`)).toBe(`${name} and (40 characters)`);
});
