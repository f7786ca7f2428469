/** Pairs of schemas, written from the rules of JSON Schema, with the worst effect of the change. */
type Pair = readonly [title: string, before: unknown, after: unknown, effect: string];

const text = { type: "string" };
const number = { type: "number" };
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
  ["a range of integers for all of them", { enum: [1, 2, 3] }, range(integer, 1, 3), "unknown"],
  ["a range of integers with one more", { enum: [1, 2] }, range(integer, 1, 3), "unknown"],
  [
    "an object's keys in another order",
    { const: { a: 1, b: 2 } },
    { const: { b: 2, a: 1 } },
    "safe",
  ],
  ["an array's items in another order", { const: [1, 2] }, { const: [2, 1] }, "unknown"],
  ["a constant object that fits", object({ a: text }), { const: { a: "x", b: 1 } }, "unknown"],
  ["a constant object that does not fit", object({ a: text }), { const: { a: 1 } }, "unknown"],
  [
    "a schema that allows one object",
    { const: { a: 1 } },
    object({ a: { const: 1 } }, closed),
    "unknown",
  ],
  [
    "a schema that allows more objects",
    { const: { a: 1 } },
    object({ a: { const: 1 } }),
    "unknown",
  ],
  [
    "a constant array that is too long",
    { type: "array", maxItems: 1 },
    { const: [1, 2] },
    "unknown",
  ],
  ["characters beyond 16 bits", { type: "string", maxLength: 2 }, { const: "😀😀" }, "safe"],
  ["a value of another type", { enum: ["a", "b"] }, { enum: ["a", 1] }, "breaks"],
  ["a value more beside null", { enum: ["a", null] }, { enum: ["a", "b", null] }, "warning"],
  ["the second boolean", { const: true }, { type: "boolean" }, "warning"],
  ["values that no number can be", number, { type: "number", enum: ["a"] }, "safe"],
  // Numbers
  ["multiples of an integer", integer, { type: "number", multipleOf: 3 }, "safe"],
  ["integers for multiples", { type: "number", multipleOf: 3 }, integer, "breaks"],
  [
    "multiples of six for those of two and three",
    { allOf: [multiple(2), multiple(3)] },
    multiple(6),
    "unknown",
  ],
  ["the same least integer", { ...integer, minimum: 0.5 }, { ...integer, minimum: 1 }, "safe"],
  [
    "a fraction above an open bound",
    { ...number, exclusiveMinimum: 1 },
    { ...number, minimum: 1 },
    "breaks",
  ],
  // Unions
  [
    "a range that was split",
    union(range(number, 0, 5), range(number, 5, 9)),
    range(number, 0, 9),
    "unknown",
  ],
  [
    "a range that was split with a gap",
    union(range(number, 0, 4), range(number, 5, 9)),
    range(number, 0, 9),
    "unknown",
  ],
  [
    "integers that were split",
    union(range(integer, 0, 4), range(integer, 5, 9)),
    range(integer, 0, 9),
    "unknown",
  ],
  [
    "lengths that were split",
    union({ ...text, maxLength: 3 }, { ...text, minLength: 4 }),
    text,
    "unknown",
  ],
  [
    "a range that variants split",
    union(object({ n: range(number, 0, 5) }), object({ n: range(number, 5, 9) })),
    object({ n: range(number, 0, 9) }),
    "unknown",
  ],
  [
    "merged variants",
    union(placed, paid),
    object({ kind: { enum: ["paid", "placed"] }, by: text }),
    "unknown",
  ],
  [
    "merged variants with another kind",
    union(placed, paid),
    object({ kind: { enum: ["paid", "placed", "lost"] }, by: text }),
    "unknown",
  ],
  [
    "merged variants without a property of one",
    union(placed, object({ kind: { const: "paid" } })),
    object({ kind: { enum: ["paid", "placed"] } }),
    "unknown",
  ],
  ["anyOf that becomes oneOf", { anyOf: overlapping }, { oneOf: overlapping }, "safe"],
  [
    "an overlapping oneOf that becomes anyOf",
    { oneOf: overlapping },
    { anyOf: overlapping },
    "unknown",
  ],
  ["an overlapping oneOf that stays", { oneOf: overlapping }, { oneOf: overlapping }, "safe"],
  [
    "a disjoint oneOf that becomes anyOf",
    { oneOf: [placed, paid] },
    { anyOf: [placed, paid] },
    "safe",
  ],
  [
    "a list of both for lists of one kind each",
    union(list(text), list(number)),
    list({ type: ["string", "number"] }),
    "unknown",
  ],
  ["a list of neither", union(list(text), list(number)), list({ type: "boolean" }), "unknown"],
  ["one of two lists", union(list(text), list(number)), list(integer), "safe"],
  [
    "neither of two required properties",
    union({ ...object({ a: text }) }, object({ b: text })),
    { type: "object" },
    "unknown",
  ],
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
    "another type than that of a pattern",
    { type: "object", patternProperties: { "^x": integer } },
    object({ xa: text }),
    "unknown",
  ],
  [
    "a closed object for one property at most",
    { type: "object", maxProperties: 1 },
    object({ a: text }, closed),
    "unknown",
  ],
  [
    "names of a record as properties",
    { type: "object", propertyNames: { enum: ["a"] }, additionalProperties: text },
    object({ a: text }, closed),
    "unknown",
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
    "a tuple that may be shorter",
    { type: "array", prefixItems: [text, text], minItems: 2 },
    { type: "array", prefixItems: [text, text], minItems: 1 },
    "breaks",
  ],
  ["repeated items", { ...list(text), uniqueItems: true }, list(text), "unknown"],
  // Strings
  ["another format", { ...text, format: "date-time" }, { ...text, format: "date" }, "unknown"],
  [
    "a format that may be narrower",
    { ...text, format: "uri-reference" },
    { ...text, format: "uri" },
    "unknown",
  ],
  [
    "a pattern in place of a format",
    { ...text, format: "date" },
    { ...text, pattern: "^2\\d{3}-01-01$" },
    "unknown",
  ],
  // What is not compared
  [
    "a condition that stays, and a property that goes",
    { ...object({ a: text, b: text }), if: object({ a: { const: "x" } }) },
    { ...object({ b: text }), if: object({ a: { const: "x" } }) },
    "breaks",
  ],
  [
    "a condition that goes",
    { ...text, if: { minLength: 3 }, else: { pattern: "^a" } },
    text,
    "unknown",
  ],
  [
    "a condition that comes",
    text,
    { ...text, if: { minLength: 3 }, else: { pattern: "^a" } },
    "safe",
  ],
  [
    "a name that unevaluatedProperties did not allow",
    { ...object({ a: text }), unevaluatedProperties: false },
    { ...object({ a: text, b: text }), unevaluatedProperties: false },
    "unknown",
  ],
  [
    "a reference with a bound beside it",
    defined({ $ref: "#/$defs/t" }, text),
    defined({ $ref: "#/$defs/t", minLength: 2 }, text),
    "safe",
  ],
  [
    "a not whose definition changes",
    defined({ not: { $ref: "#/$defs/t" } }, text),
    defined({ not: { $ref: "#/$defs/t" } }, number),
    "unknown",
  ],
  ["nothing at all", text, false, "safe"],
  ["something instead of nothing", { not: {} }, text, "breaks"],
];

function range(of: object, minimum: number, maximum: number) {
  return { ...of, minimum, maximum };
}

function multiple(multipleOf: number) {
  return { type: "number", multipleOf };
}

function union(...anyOf: readonly object[]) {
  return { anyOf };
}

function list(items: object) {
  return { type: "array", items };
}

function defined(schema: object, t: object) {
  return { ...schema, $defs: { t } };
}
