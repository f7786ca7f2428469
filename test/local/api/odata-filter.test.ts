import fc from "fast-check";
import { expect, it } from "vitest";
import { compileFilter, type FilterUse } from "../../../local/src/api/index.js";
import { draws } from "../../support/draws.js";

type Item = Readonly<Record<string, unknown>>;
type Filter = readonly [text: string, holds: (item: Item) => boolean];

const uses: FilterUse[] = [];

const compiled = (filter: string, takesBareValues = true) =>
  compileFilter<Item>(filter, {
    property: (name, use) => {
      uses.push(use);
      return name === "unknown" ? undefined : (item) => item[name];
    },
    conditions: new Map([["atscope", ({ name }) => name === "a"]]),
    takesBareValues,
    refused: (text) => new Error(`refused: ${text}`),
  });

const TEXTS = ["a", "B", "ab", "o'b", ""];
const text = fc.constantFrom(...TEXTS);
const quoted = (value: string) => `'${value.replaceAll("'", "''").toUpperCase()}'`;
const lower = (value: unknown) => String(value).toLowerCase();
const name = fc.constantFrom("name", "size/unit");

const comparisons = {
  eq: [0],
  ne: [-1, 1],
  gt: [1],
  GE: [0, 1],
  lt: [-1],
  le: [-1, 0],
};
const order = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .tuple(name, fc.constantFrom(...Object.entries(comparisons)), text)
    .map(
      ([at, [operator, orders], value]): Filter => [
        `${at} ${operator} ${quoted(value)}`,
        (item) => orders.includes(order(lower(item[at]), lower(value))),
      ],
    ),
  fc
    .tuple(name, fc.array(text, { minLength: 1, maxLength: 3 }))
    .map(
      ([at, values]): Filter => [
        `${at} in ( ${values.map(quoted).join(" , ")} )`,
        (item) => values.some((each) => lower(item[at]) === lower(each)),
      ],
    ),
  fc.tuple(fc.constantFrom("startswith", "endsWith", "contains", "substringof"), name, text).map(
    ([call, at, value]): Filter => [
      `${call} (${call === "substringof" ? `${quoted(value)}, ${at}` : `${at}, ${quoted(value)}`} )`,
      (item) => {
        const [start, end] = [call === "startswith" ? "^" : "", call === "endsWith" ? "$" : ""];
        return new RegExp(`${start}${value}${end}`, "i").test(String(item[at]));
      },
    ],
  ),
  fc
    .tuple(fc.constantFrom("eq", "ne"), text)
    .map(
      ([operator, value]): Filter => [
        `roles/any( r : r/value ${operator} ${quoted(value)} )`,
        ({ roles }) =>
          [roles]
            .flat()
            .some((each) => (lower(Object(each).value) === lower(value)) === (operator === "eq")),
      ],
    ),
  fc.constant<Filter>(["atScope( )", (item) => item.name === "a"]),
  fc.constant<Filter>(["missing eq NULL", () => true]),
);

const { any } = fc.letrec<{ any: Filter; all: Filter; factor: Filter }>((tie) => ({
  any: fc
    .array(tie("all"), { minLength: 1, maxLength: 2 })
    .map((parts) => [
      parts.map(([each]) => each).join(" Or "),
      (item) => parts.some(([, holds]) => holds(item)),
    ]),
  all: fc
    .array(tie("factor"), { minLength: 1, maxLength: 2 })
    .map((parts) => [
      parts.map(([each]) => each).join(" and "),
      (item) => parts.every(([, holds]) => holds(item)),
    ]),
  factor: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("any").map(([each, holds]): Filter => [` ( ${each} )`, holds]),
    tie("factor").map(([each, holds]): Filter => [`not ${each}`, (item) => !holds(item)]),
  ),
}));

it("selects by comparisons, functions and lists, of which `not` binds closest and `or` least", () => {
  const item = fc.record({
    name: text,
    "size/unit": text,
    roles: fc.array(fc.record({ value: text }), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(any, fc.array(item, { minLength: 5 }), ([filter, holds], items) => {
      expect(items.filter(compiled(` ${filter} `))).toEqual(items.filter(holds));
    }),
    { numRuns: draws(300) },
  );
});

it.each([
  "name",
  "name eq",
  "name eq'a'",
  "name eq 'a' or",
  "name eq 'a'or name eq 'b'",
  "name eq 'a' or(name eq 'b')",
  "name eq 'a'and name eq 'b'",
  "name eq 'a' and(name eq 'b')",
  "name eq 'a' name eq 'a'",
  "(name eq 'a'",
  "name eq 'a')",
  "name in ('a'",
  "name in ()",
  "'name'eq 'a'",
  "unknown eq 'a'",
  "unknown in ('a')",
  "startswith('a', name)",
  "startswith(name, 'a'",
  "startswith(name 'a')",
  "substringof(name, 'a')",
  "name constructor 'a'",
  "toString(name, 'a')",
  "constructor()",
  "roles/any(r:s/value eq 'a')",
  "roles/any(r:r/value eq 'a'",
  `${"not ".repeat(100)}name eq 'a'`,
])("refuses %s", (filter) => {
  expect(() => compiled(filter)).toThrow(`refused: ${filter}`);
});

it("takes 100 levels, and values without quotes only where the dialect does", () => {
  expect(compiled(`${"not ".repeat(99)}name eq 'a'`)({ name: "b" })).toBe(true);
  expect(
    ["2026-11-29T10:00:00Z", "true"].map((name) => compiled(`name eq ${name}`)({ name })),
  ).toEqual([true, true]);
  expect(() => compiled("name eq true", false)).toThrow("refused");
  expect(compiled(" ", false)({})).toBe(true);
  expect(["null", "m"].map((part) => compiled(`contains(missing, '${part}')`)({}))).toEqual([
    false,
    false,
  ]);
});

it.each<[string, FilterUse]>([
  ["name eq 'a'", "equality"],
  ["name ne 'a'", "equality"],
  ["name ge 'a'", "order"],
  ["name in ('a')", "in"],
  ["name/any(n:n eq 'a')", "any"],
  ["EndsWith(name, 'a')", "endswith"],
])("says for %s that it uses the property for %s", (filter, use) => {
  uses.length = 0;
  compiled(filter);
  expect(uses).toEqual([use]);
});
