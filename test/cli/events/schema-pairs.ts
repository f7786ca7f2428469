/** Pairs of schemas, written from the rules of JSON Schema, with the worst effect of the change. */
type Pair = readonly [title: string, before: unknown, after: unknown, effect: string];

const text = { type: "string" };
const number = { type: "number" };
const sixes = (...all: readonly number[]) => ({
  type: "number",
  allOf: all.map((multipleOf) => ({ multipleOf })),
});
const integer = { type: "integer" };
const closed = { additionalProperties: false };

/** An object with these members, all of them required. */
function object(properties: Readonly<Record<string, unknown>>, more: object = {}) {
  return { type: "object", properties, required: Object.keys(properties), ...more };
}

const placed = object({ kind: { const: "placed" }, by: text });
const paid = object({ kind: { const: "paid" }, by: text });
const overlapping = [
  { type: "number", minimum: 1 },
  { type: "number", maximum: 2 },
];

export const PAIRS: readonly Pair[] = [
  // Values
  ["a constant that is written as an enumeration", { const: 1 }, { enum: [1] }, "safe"],
  [
    "an object's keys in another order",
    { const: { a: 1, b: 2 } },
    { const: { b: 2, a: 1 } },
    "safe",
  ],
  ["characters beyond 16 bits", { type: "string", maxLength: 2 }, { const: "😀😀" }, "safe"],
  ["a value of another type", { enum: ["a", "b"] }, { enum: ["a", 1] }, "breaks"],
  ["a value more beside null", { enum: ["a", null] }, { enum: ["a", "b", null] }, "warning"],
  ["the second boolean", { const: true }, { type: "boolean" }, "warning"],
  ["values that no number can be", number, { type: "number", enum: ["a"] }, "safe"],
  // Numbers
  ["multiples of an integer", integer, { type: "number", multipleOf: 3 }, "safe"],
  ["multiples that were told twice", sixes(6, 3), { type: "number", multipleOf: 6 }, "safe"],
  ["multiples told twice", { type: "number", multipleOf: 6 }, sixes(6, 3), "safe"],
  ["integers for multiples", { type: "number", multipleOf: 3 }, integer, "breaks"],
  ["the same least integer", { ...integer, minimum: 0.5 }, { ...integer, minimum: 1 }, "safe"],
  [
    "a fraction above an open bound",
    { ...number, exclusiveMinimum: 1 },
    { ...number, minimum: 1 },
    "breaks",
  ],
  // Unions
  ["anyOf that becomes oneOf", { anyOf: overlapping }, { oneOf: overlapping }, "safe"],
  ["an overlapping oneOf that stays", { oneOf: overlapping }, { oneOf: overlapping }, "safe"],
  [
    "a disjoint oneOf that becomes anyOf",
    { oneOf: [placed, paid] },
    { anyOf: [placed, paid] },
    "safe",
  ],
  ["one of two lists", union(list(text), list(number)), list(integer), "safe"],
  [
    "both of two required properties",
    union(object({ a: text }), object({ b: text })),
    object({ a: text, b: text }),
    "safe",
  ],
  [
    "a variant whose property changes its type",
    union(object({ a: text }), object({ b: text })),
    object({ a: number }),
    "breaks",
  ],
  [
    "types as a list for a union",
    union({ type: "null" }, text),
    { type: ["string", "null"] },
    "safe",
  ],
  // Objects
  [
    "the parts of allOf",
    { allOf: [object({ a: text }), object({ b: text })] },
    object({ a: text, b: text }),
    "safe",
  ],
  [
    "names for other properties",
    { type: "object", additionalProperties: text },
    object({ a: text }, closed),
    "safe",
  ],
  [
    "another type than that of other properties",
    { type: "object", additionalProperties: text },
    object({ a: number }, { additionalProperties: text }),
    "breaks",
  ],
  [
    "properties as names of a record",
    object({ a: text }),
    { type: "object", propertyNames: { enum: ["a"] }, additionalProperties: text, required: ["a"] },
    "safe",
  ],
  [
    "a forbidden property that may come",
    { type: "object", properties: { a: false } },
    { type: "object", properties: { a: text } },
    "breaks",
  ],
  [
    "a forbidden property that is left out",
    { type: "object", properties: { a: { not: {} } } },
    { type: "object", additionalProperties: false },
    "safe",
  ],
  [
    "a forbidden property that is not mentioned any more",
    { type: "object", properties: { a: { not: {} } } },
    { type: "object" },
    "breaks",
  ],
  [
    "an object where any type was allowed",
    { properties: { a: text } },
    object({ a: text }),
    "safe",
  ],
  [
    "a default instead of a required property",
    object({ a: text }),
    { type: "object", properties: { a: { ...text, default: "x" } } },
    "breaks",
  ],
  // Arrays
  [
    "the two spellings of a tuple",
    { type: "array", items: [text], additionalItems: false },
    { type: "array", prefixItems: [text], items: false },
    "safe",
  ],
  [
    "a tuple whose others are typed",
    { type: "array", items: [text] },
    { type: "array", prefixItems: [text], items: number },
    "safe",
  ],
  [
    "a list that loses its items, beside additionalItems without effect",
    { type: "array", items: text, additionalItems: false },
    { type: "array", additionalItems: false },
    "breaks",
  ],
  [
    "a tuple that may be shorter",
    { type: "array", prefixItems: [text, text], minItems: 2 },
    { type: "array", prefixItems: [text, text], minItems: 1 },
    "breaks",
  ],
  // Strings
  // What is not compared
  [
    "a condition that stays, and a property that goes",
    { ...object({ a: text, b: text }), if: object({ a: { const: "x" } }) },
    { ...object({ b: text }), if: object({ a: { const: "x" } }) },
    "breaks",
  ],
  ["another format", { ...text, format: "date-time" }, { ...text, format: "date" }, "unknown"],
  [
    "a condition that goes",
    { ...text, if: { minLength: 3 }, else: { pattern: "^a" } },
    text,
    "unknown",
  ],
  [
    "a name that unevaluatedProperties did not allow",
    { ...object({ a: text }), unevaluatedProperties: false },
    { ...object({ a: text, b: text }), unevaluatedProperties: false },
    "unknown",
  ],
  [
    "a not whose definition changes",
    defined({ not: { $ref: "#/$defs/t" } }, text),
    defined({ not: { $ref: "#/$defs/t" } }, number),
    "unknown",
  ],
  [
    "a condition that comes",
    text,
    { ...text, if: { minLength: 3 }, else: { pattern: "^a" } },
    "safe",
  ],
  [
    "a reference with a bound beside it",
    defined({ $ref: "#/$defs/t" }, text),
    defined({ $ref: "#/$defs/t", minLength: 2 }, text),
    "safe",
  ],
  ["nothing at all", text, false, "safe"],
  ["something instead of nothing", { not: {} }, text, "breaks"],
];

function union(...anyOf: readonly object[]) {
  return { anyOf };
}

function list(items: object) {
  return { type: "array", items };
}

function defined(schema: object, t: object) {
  return { ...schema, $defs: { t } };
}
