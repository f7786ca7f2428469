import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { defineEvents } from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../cli/src/events/compatibility.js";
import { modelSchemas } from "../../../cli/src/events/index.js";
import { draws } from "../../support/draws.js";
import { PAIRS } from "./schema-pairs.js";
import { pairsOfSchemas, VALUES } from "./schemas.js";
import { anyObject, type Shape, zodOf } from "./shapes.js";

type Schema = Record<string, unknown>;

function effectsOf(before: unknown, after: unknown): string[] {
  return compareSchemas(
    { schema: before, document: before },
    { schema: after, document: after },
    "data",
  ).map(({ effect, path, message }) => `${effect} ${path} ${message}`);
}

function schemaOf(shape: Shape): Schema {
  const { files } = modelSchemas(defineEvents({ "a.b": zodOf(shape) }));
  return JSON.parse(files["a.b.json"] ?? "");
}

const text = { type: "string" };

describe("the comparison of two payloads", () => {
  it("calls no change safe after which a payload comes that the earlier contract does not allow", () => {
    const ajv = new Ajv({ strict: false });
    fc.assert(
      fc.property(pairsOfSchemas, ([before, after]) => {
        if (effectsOf(before, after).some((each) => !each.startsWith("safe"))) return;
        const [old, now] = [before, after].map((schema) => ajv.compile(schema as Schema));
        expect(VALUES.filter((value) => now?.(value) && !old?.(value))).toEqual([]);
      }),
      { numRuns: draws(100) },
    );
  });

  it("calls every change safe that only allows less", () => {
    fc.assert(
      fc.property(anyObject, anyObject, (shape, other) => {
        const wide = schemaOf({
          kind: "object",
          isClosed: false,
          fields: [
            field("a", true, shape),
            field("b", false, { kind: "either", first: other, second: { kind: "null" } }),
          ],
        });
        const narrow = schemaOf({
          kind: "object",
          isClosed: true,
          fields: [field("a", false, shape), field("b", false, other)],
        });
        expect(effectsOf(wide, narrow).filter((each) => !each.startsWith("safe"))).toEqual([]);
        expect(effectsOf(wide, wide)).toEqual([]);
        expect(effectsOf(narrow, wide).filter((each) => !each.startsWith("safe"))).toEqual([
          "breaks data.a can be missing",
          "breaks data.b can be of type null, which was not allowed",
          "breaks data can have other properties, which were not allowed",
        ]);
      }),
      { numRuns: draws(40) },
    );
  });

  it.each([
    [
      "a value more",
      { enum: ["a"] },
      { enum: ["a", "b"] },
      ['warning data can be "b", which readers of every value do not know'],
    ],
    ["another constant", { const: "a" }, { const: "b" }, ['breaks data is "b" instead of "a"']],
    [
      "any value",
      { enum: ["a", "b"] },
      { type: "string" },
      ['breaks data can be anything, not only "a", "b"'],
    ],
    [
      "another variant",
      oneOf("a", "b"),
      oneOf("a", "b", "c"),
      ["breaks data has a new alternative of type object"],
    ],
    ["a variant less", oneOf("a", "b"), oneOf("a"), ["safe data allows less than before"]],
    [
      "an overlapping oneOf",
      { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
      { const: 1 },
      ["unknown data may be in none of the earlier alternatives"],
    ],
    [
      "an integer for a number",
      { type: "number" },
      { type: "integer" },
      ["safe data allows less than before"],
    ],
    [
      "a number for an integer",
      { type: "integer" },
      { type: "number" },
      ["breaks data can be a number that is no integer"],
    ],
    [
      "a bound that is open now",
      { minimum: 1 },
      { exclusiveMinimum: 0 },
      ["breaks data can be less than before"],
    ],
    [
      "the same bound of integers",
      { type: "integer", minimum: 1 },
      { type: "integer", exclusiveMinimum: 0 },
      ["safe data allows less than before"],
    ],
    [
      "another pattern",
      { type: "string", pattern: "^a" },
      { type: "string", pattern: "^ab" },
      ["unknown data has another pattern"],
    ],
    [
      "values that match the pattern",
      { type: "string", pattern: "^a" },
      { const: "ab" },
      ["unknown data has another pattern"],
    ],
    [
      "another format",
      { type: "string", format: "date-time" },
      { type: "string" },
      ["breaks data is no longer restricted by format"],
    ],
    [
      "a multiple",
      { type: "number", multipleOf: 0.1 },
      { type: "number", multipleOf: 0.5 },
      ["safe data allows less than before"],
    ],
    [
      "a keyword that nobody knows",
      { type: "string", "x-max": 1 },
      { type: "string", "x-max": 2 },
      ["unknown data has a schema that cannot be compared"],
    ],
    [
      "a longer tuple",
      tuple({ type: "string" }),
      tuple({ type: "string" }, { type: "null" }),
      ["breaks data[1] can be of type null, which was not allowed"],
    ],
    [
      "a condition that never held",
      { type: "object", if: false, else: { required: ["a"] } },
      { type: "object" },
      ["unknown data has a schema that cannot be compared"],
    ],
    [
      "an item that need not be there",
      { type: "array", contains: { type: "string" } },
      { type: "array", contains: { type: "string" }, minContains: 0 },
      ["unknown data has a schema that cannot be compared"],
    ],
    [
      "a property that a closed part forbids",
      { allOf: [{ properties: { a: text }, additionalProperties: false }, { type: "object" }] },
      { type: "object", properties: { a: text, b: text }, additionalProperties: false },
      ["breaks data.b is new, and no other properties were allowed"],
    ],
    [
      "a pattern of another type",
      { type: ["string", "number"], pattern: "^a" },
      { type: "number" },
      ["safe data allows less than before"],
    ],
    [
      "one more described value",
      { anyOf: [{ const: "a", description: "A" }, { const: "b" }] },
      { anyOf: [{ const: "a", description: "A" }, { const: "b" }, { const: "c" }] },
      ['warning data can be "c", which readers of every value do not know'],
    ],
    ["the two booleans", { enum: [false, true] }, { type: "boolean" }, []],
    [
      "a list in place of a tuple",
      { type: "array", items: [text, text], additionalItems: false },
      { type: "array", items: text, maxItems: 2 },
      ["safe data allows less than before"],
    ],
    [
      "a value outside the bounds",
      { allOf: [{ enum: [1, 10] }, { minimum: 5 }] },
      { const: 1 },
      ["breaks data is 1 instead of 10"],
    ],
  ])("judges %s", (_, before, after, expected) => {
    expect(effectsOf(before, after)).toEqual(expected);
  });

  it.each(PAIRS)("judges %s", (_, before, after, expected) => {
    const effects = effectsOf(before, after).map((each) => each.split(" ")[0]);
    const worst = ["breaks", "unknown", "warning"].find((each) => effects.includes(each)) ?? "safe";
    expect(worst).toBe(expected);
  });

  it("compares types that all refer to each other once", () => {
    const names = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const web = (leaf: object) => ({
      $ref: "#/$defs/t0",
      $defs: Object.fromEntries(
        names.map((name) => {
          const members = names.map((other) => [other, { $ref: `#/$defs/${other}` }]);
          return [
            name,
            { type: "object", properties: Object.fromEntries([...members, ["leaf", leaf]]) },
          ];
        }),
      ),
    });
    expect(effectsOf(web(text), web(text))).toEqual([]);
    expect(effectsOf(web(text), web({ type: "number" }))).toContain(
      "breaks data.leaf can be of type number, which was not allowed",
    );
  });

  it("follows references, also of recursive payloads", () => {
    const tree = (name: object) => ({
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { name, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        },
      },
    });
    expect(effectsOf(tree({ type: "string" }), tree({ type: "string" }))).toEqual([]);
    expect(effectsOf(tree({ type: "string" }), tree({ type: ["string", "null"] }))).toEqual([
      "breaks data.name can be of type null, which was not allowed",
      "breaks data.children[].name can be of type null, which was not allowed",
    ]);
  });
});

function field(name: string, isOptional: boolean, shape: Shape) {
  return { name, isOptional, shape };
}

function oneOf(...kinds: readonly string[]) {
  const variants = kinds.map((kind) => ({
    type: "object",
    properties: { kind: { const: kind } },
    required: ["kind"],
  }));
  return { oneOf: variants };
}

function tuple(...prefixItems: readonly object[]) {
  return { type: "array", prefixItems, items: false };
}
