import { expect, it } from "vitest";
import {
  azureTime,
  Bag,
  decodeText,
  digitsIn,
  groupsOf,
  isAddressRange,
  isHttpUrl,
  parameterIn,
  secondsIn,
  socketHost,
  split,
  textOrEmpty,
  withoutEnd,
  withoutStart,
} from "../../../local/src/base/index.js";

it.each<[string, number]>([
  ["P1DT2H3M4.5S", 93_784.5],
  ["P2D", 172_800],
  ["PT30M", 1_800],
  ...["P", "PT", "P1W", "T1S", "PD", "PTH", "PTM", "PTS", "PT1.S", "xP1D", "P1Dx"].map(
    (text): [string, number] => [text, Number.NaN],
  ),
])("the ISO 8601 duration %s has %d seconds", (duration, seconds) => {
  expect(secondsIn(duration)).toBe(seconds);
});

it("a time is written as in Azure's messages", () => {
  expect(azureTime(Date.UTC(2027, 0, 31, 22, 2, 0))).toBe("1/31/2027 10:02:00 PM");
});

it("a text that is missing in JSON, a query or a match is empty", () => {
  expect(
    [{ a: { b: "x" } }, { a: { b: 1 } }, {}].map((each) => textOrEmpty(each, "a", "b")),
  ).toEqual(["x", "", ""]);
  const query = new URLSearchParams("a=x");
  expect([parameterIn(query, "a"), parameterIn(query, "b")]).toEqual(["x", ""]);
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

it("a text loses only the start and the end that are named", () => {
  expect([withoutStart("aab", "a"), withoutStart("ba", "a")]).toEqual(["ab", "ba"]);
  expect([withoutEnd("baa", "a"), withoutEnd("ab", "a")]).toEqual(["ba", "ab"]);
  expect(["[::1]", "::1", "a.b"].map(socketHost)).toEqual(["::1", "::1", "a.b"]);
});

it("a number of one to nine digits is read, and nothing else", () => {
  expect(["0", "007", "999999999"].map(digitsIn)).toEqual([0, 7, 999_999_999]);
  for (const text of ["", "1000000000", "-1", "1.5", "1e3", " 1", "1 "]) {
    expect(digitsIn(text), text).toBeNaN();
  }
});

it("an address of a web server is a URL with its scheme", () => {
  const urls = ["http://a", "HTTPS://a:1/b"];
  expect([...urls, "ftp://a", "http://", "a", "xhttp://a"].filter(isHttpUrl)).toEqual(urls);
});

it("a file is read in UTF-8 and in UTF-16 of both byte orders, with a mark and without", () => {
  const little = (text: string) => Buffer.from(text, "utf16le");
  for (const text of ["{}", "\uFEFF{}"]) {
    for (const bytes of [Buffer.from(text), little(text), little(text).swap16()]) {
      expect(decodeText(bytes)).toBe("{}");
    }
  }
  expect([decodeText(Buffer.from("5")), decodeText(Buffer.alloc(0))]).toEqual(["5", ""]);
});

it.each([
  ["10.0.0.1 10.0.0.0/0 10.0.0.0/32 ::/128", true],
  [
    "10.0.0 10.0.0.0/33 10.0.0.0/x8 10.0.0.0/8x 10.0.0.0/0008 10.0.0.1/00032 10.0.0.0/8/8 ::/129",
    false,
  ],
])("each of %s is an address or a range of addresses: %s", (texts, is) => {
  for (const text of texts.split(" ")) expect(isAddressRange(text), text).toBe(is);
});

it("a bag loses each item once, whatever the order", () => {
  const bag = new Bag<string>();
  const [removeA, removeB, removeC] = ["a", "b", "c"].map((item) => bag.add(item));
  removeA?.();
  removeA?.();
  expect(bag.list().sort()).toEqual(["b", "c"]);
  removeC?.();
  expect(bag.list()).toEqual(["b"]);
  bag.clear();
  expect(bag.list()).toEqual([]);
  bag.add("d");
  removeB?.();
  expect(bag.list()).toEqual(["d"]);
});
