import fc from "fast-check";

const scalars = [null, true, false, -1, 0, 1, 2, 3, 0.5, 1.5, "", "a", "b", "ab", "abc"];
const some = [...scalars, [], {}];
const members = [undefined, ...some];

/** Values, among them some that small schemas allow and some that they do not. */
export const VALUES: readonly unknown[] = [
  ...scalars,
  ...some.map((each) => [each]),
  ...scalars.flatMap((each) => scalars.map((other) => [each, other])),
  ...members.flatMap((a) => members.map((b) => JSON.parse(JSON.stringify({ a, b })))),
  { a: 1, x: 1 },
  { b: "a", x: "a" },
  [],
];

const count = fc.integer({ min: 0, max: 3 });
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 2, "a", "b", "ab", [1], { a: 1 });

function having(type: string, keywords: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(keywords, { requiredKeys: [] }).map((each): unknown => ({ type, ...each }));
}

/** Small schemas with all keywords that are compared. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const schemas = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const numbers = {
    minimum: count,
    exclusiveMinimum: count,
    maximum: count,
    exclusiveMaximum: count,
    multipleOf: fc.constantFrom(0.5, 2),
  };
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom<unknown>(true, { type: "string" }, { type: ["string", "null"] }),
      scalar.map((value) => ({ const: value })),
      fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      having("number", numbers),
      having("integer", numbers),
      having("string", {
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom("^a", "b"),
      }),
      having("array", {
        items: tie("schema"),
        prefixItems: schemas,
        minItems: count,
        maxItems: count,
        uniqueItems: fc.boolean(),
      }),
      having("object", {
        properties: fc.record({ a: tie("schema"), b: tie("schema") }, { requiredKeys: [] }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.oneof(fc.constant(false), tie("schema")),
        patternProperties: fc.record({ "^a": tie("schema") }),
        propertyNames: fc.constantFrom({ maxLength: 1 }, { enum: ["a"] }, { pattern: "^a" }),
        minProperties: count,
        maxProperties: count,
      }),
      schemas.map((anyOf) => ({ anyOf })),
      schemas.map((oneOf) => ({ oneOf })),
      schemas.map((allOf) => ({ allOf })),
      tie("schema").map((not) => ({ not })),
    ),
  };
});

/** Two schemas, often related to each other. */
export const pairsOfSchemas = fc.tuple(schema, schema).chain(([one, other]) => {
  const withA = (a: unknown) => ({ type: "object", properties: { a }, required: ["a"] });
  const either = { anyOf: [one, other] };
  return fc.constantFrom<readonly [before: unknown, after: unknown]>(
    [one, other],
    [either, one],
    [either, { oneOf: [other, one] }],
    [either, { allOf: [one, other] }],
    [{ anyOf: [withA(one), withA(other)] }, withA(either)],
    [withA(either), { anyOf: [withA(one), withA(other)] }],
  );
});
