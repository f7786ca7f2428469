import { describe, expect, it } from "vitest";
import {
  checkOf,
  either,
  group,
  listOf,
  type OptionTable,
  required,
  withDefaults,
} from "../../../runtime/src/validation/checks.js";
import { boolean, integerRule, type Rule } from "../../../runtime/src/validation/rules.js";

interface Options {
  readonly port?: number;
  readonly limits?: { readonly bytes?: number };
}

const port: Rule = integerRule(0, 9);
const table: OptionTable<Options> = {
  port: { check: required(port), default: 3 },
  limits: { options: { bytes: { check: port, default: 1 } } },
};

const shown = (problems: readonly { readonly field: string; readonly rule: string }[]) =>
  problems.map(({ field, rule }) => `${field}: ${rule}`);

describe("a check", () => {
  it.each<[value: unknown, problems: readonly string[]]>([
    [{ port: 9, limits: { bytes: 0 } }, []],
    [{ limits: {} }, ["port: required"]],
    [{ port: 10, limits: { bytes: "1" } }, ["port: integer-range", "limits.bytes: integer-range"]],
    [{ port: 1, limits: 5 }, ["limits: type"]],
    [{ port: 1, limits: null }, ["limits: type"]],
    [{ port: 1, prot: 2 }, ["prot: unknown"]],
    ["a key", ["options: type"]],
  ])("finds the problems of %j in options", (value, problems) => {
    expect(shown(checkOf<Options>(table).problems("", value))).toEqual(problems);
  });

  it("reports the items of a list, and an empty list only if that is not allowed", () => {
    const problems = (value: unknown, whenEmpty?: string) =>
      shown(listOf(port, whenEmpty === undefined ? {} : { whenEmpty }).problems("ports", value));
    expect(problems([1, 10, 2, 11])).toEqual([
      "ports[1]: integer-range",
      "ports[3]: integer-range",
    ]);
    expect(problems({})).toEqual(["ports: type"]);
    expect(problems([])).toEqual([]);
    expect(problems([], "is empty")).toEqual(["ports: empty"]);
    expect(problems([1], "is empty")).toEqual([]);
  });

  it("takes a value or an object with details", () => {
    const problems = (value: unknown) =>
      shown(either(boolean, group<Options>({ port, limits: port })).problems("health", value));
    expect([true, { port: 1 }].flatMap(problems)).toEqual([]);
    expect(problems({ port: 10 })).toEqual(["health.port: integer-range"]);
    expect(problems("yes")).toEqual(["health: type"]);
  });
});

it("defaults take the place of what is left out, in groups as well", () => {
  const defaults = (options: Options) => withDefaults<Options, typeof table>(table, options);
  expect(defaults({})).toEqual({ port: 3, limits: { bytes: 1 } });
  expect(defaults({ port: 0, limits: { bytes: 5 } })).toEqual({
    port: 0,
    limits: { bytes: 5 },
  });
});
