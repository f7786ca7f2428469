import { split } from "cloud-eventgrid-binding-runtime/internal";
import {
  distinct,
  isNothing,
  isSchema,
  type JsonSchema,
  listOf,
  textOf,
  withReferences,
} from "./spelling.js";

/** Values of one type that a schema allows, or more if it has `other`. A schema is a list of such parts. */
export interface Part {
  readonly type: string;
  /** The only value, as text. */
  readonly constant?: string;
  /** Of a number, or of the count of characters or items. */
  readonly low: Bound;
  readonly high: Bound;
  /** Assertions by keyword that are compared as they are. */
  readonly rules: Named;
  /** The schemas of properties by name, or of items by index. */
  readonly members: Named;
  readonly required: readonly string[];
  /** The schema of all other properties or items. */
  readonly rest: unknown;
  /** Assertions that are not understood, as text. */
  readonly other: readonly string[];
}

type Named = Readonly<Record<string, unknown>>;
/** A number, and whether the values begin above it (1), end below it (-1), or include it (0). */
type Bound = readonly [at: number, open: number];

const TYPES = ["array", "boolean", "null", "number", "object", "string"];
const VALUES: Readonly<Record<string, unknown[]>> = { boolean: [false, true], null: [null] };
/** The keywords about each type: the bounds, and the assertions that are compared as they are. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  array: ["minItems", "maxItems"],
  number: ["minimum", "maximum", "multipleOf"],
  string: ["minLength", "maxLength", "contentEncoding", "contentMediaType", "format", "pattern"],
};
const UNDERSTOOD = new Set([
  ...Object.values(KEYWORDS).flat(),
  ..."type enum const $ref $defs definitions exclusiveMinimum exclusiveMaximum".split(" "),
  ..."items prefixItems additionalItems properties required additionalProperties".split(" "),
  // For readers only.
  ..."$schema $comment title description default examples deprecated readOnly writeOnly".split(" "),
]);

/** Returns the functions that take schemas apart whose references point into documents: `name#/pointer`. */
export function normalForms(documents: Named) {
  let depth = 0;

  function normalForm(schema: unknown): readonly Part[] {
    if (isNothing(schema)) return [];
    if (schema === true) return partsOf({});
    if (!isSchema(schema) || depth > 32) return partsOf({ not: schema });
    const { anyOf, oneOf, allOf, $ref, ...own } = schema;
    const references = $ref === undefined ? [] : [referenced($ref, documents)];
    const all = [...references, ...listOf(allOf)].map((each) => [each]);
    depth++;
    let parts = partsOf(own);
    for (const union of [...all, ...[anyOf, oneOf].filter(Array.isArray)]) {
      const branches = union.map(normalForm);
      parts = parts.flatMap((one) => branches.flat().flatMap((other) => merged(one, other)));
      // A value that two branches of oneOf allow is allowed by neither.
      if (union === oneOf && !areApart(branches))
        parts = parts.map((each) => ({ ...each, other: [...each.other, textOf({ oneOf })] }));
    }
    depth--;
    return parts.length > 1000 ? partsOf({ not: schema }) : parts;
  }

  /** Returns true if no value is allowed by two of the lists of parts, as far as this is known. */
  function areApart(lists: readonly (readonly Part[])[]): boolean {
    return lists.every((one, index) =>
      lists
        .slice(index + 1)
        .every((two) => one.every((each) => two.every((part) => areDisjoint(each, part)))),
    );
  }

  function areDisjoint(one: Part, other: Part): boolean {
    if (merged(one, other).length === 0) return true;
    if (depth > 4) return false;
    depth++;
    const isDisjoint = [...one.required, ...other.required].some((name) =>
      areApart([memberOf(one, name), memberOf(other, name)].map(normalForm)),
    );
    depth--;
    return isDisjoint;
  }

  return { normalForm, areDisjoint };
}

/** The parts of a schema without unions. */
function partsOf(schema: JsonSchema): Part[] {
  const types = schema.type === undefined ? TYPES : [schema.type].flat().map(String);
  const values = "const" in schema ? [schema.const] : schema.enum;
  return types.flatMap((type) => {
    const parts =
      type === "integer"
        ? merged(partOf("number", schema), partOf("number", { multipleOf: 1 }))
        : [partOf(type, schema)];
    const few = Array.isArray(values) ? values : VALUES[type];
    return few
      ? parts.flatMap((part) => few.flatMap((value) => merged(constantOf(value), part)))
      : parts;
  });
}

function partOf(type: string, schema: JsonSchema): Part {
  const [least = "", most = "", ...keywords] = KEYWORDS[type] ?? [];
  const others = Object.entries(schema).filter(([keyword]) => !UNDERSTOOD.has(keyword));
  // These depend on the keywords beside them.
  const isWhole = others.some(
    ([keyword]) => keyword.startsWith("unevaluated") || keyword.startsWith("pattern"),
  );
  const { items, prefixItems, additionalItems, properties, required, additionalProperties } =
    schema;
  const tuple = [prefixItems, items].find(Array.isArray);
  const { exclusiveMinimum, exclusiveMaximum } = type === "number" ? schema : {};
  const part = {
    type,
    ...common(between(schema[least], schema[most]), between(exclusiveMinimum, exclusiveMaximum, 1)),
    rules: Object.fromEntries(Object.entries(schema).filter(([each]) => keywords.includes(each))),
    members: {},
    required: [],
    rest: true,
    other: others.length > 0 ? [textOf(isWhole ? schema : Object.fromEntries(others))] : [],
  };
  if (type === "array")
    return {
      ...part,
      members: { ...tuple },
      // Without a list, additionalItems has no effect.
      rest: (tuple !== undefined && tuple === items ? additionalItems : items) ?? true,
    };
  if (type !== "object") return part;
  const members = isSchema(properties) ? properties : {};
  const rest = isWhole ? true : (additionalProperties ?? true);
  return { ...part, members, rest, required: listOf(required).map(String) };
}

/** The part with one value; an array or an object is not understood. */
function constantOf(value: unknown): Part {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (type === "array" || type === "object") return partOf(type, { constant: value });
  const count = typeof value === "string" ? [...value].length : value;
  return { ...partOf(type, {}), ...between(count, count), constant: textOf(value) };
}

/** The values that both parts allow: one part, or none. */
function merged(one: Part, other: Part): Part[] {
  const isOther = one.constant !== undefined && one.constant !== (other.constant ?? one.constant);
  if (one.type !== other.type || isOther) return [];
  const rules: Record<string, unknown> = { ...one.rules, ...other.rules };
  const others = [...one.other, ...other.other];
  for (const [keyword, rule] of Object.entries(one.rules)) {
    const next = rules[keyword];
    if (keyword === "multipleOf" && isMultiple(rule, next)) rules[keyword] = rule;
    else if (textOf(rule) !== textOf(next) && (keyword !== "multipleOf" || !isMultiple(next, rule)))
      others.push(textOf({ [keyword]: distinct([rule, next]) }));
  }
  const { multipleOf, ...texts } = rules;
  const constant = one.constant ?? other.constant;
  if (constant !== undefined) {
    if (multipleOf !== undefined && !isMultiple(constant, multipleOf)) return [];
    if (Object.keys(texts).length > 0) others.push(textOf(texts));
  }
  const names = [one, other].flatMap(({ members }) => Object.keys(members));
  const part = {
    ...one,
    ...other,
    ...common(one, other),
    rules,
    members: Object.fromEntries(
      names.map((name) => [name, both(memberOf(one, name), memberOf(other, name))]),
    ),
    required: [...new Set([...one.required, ...other.required])],
    rest: both(one.rest, other.rest),
    other: distinct(others).map(String),
  };
  const { low, high } = rangeOf(part);
  return order(low, high) > 0 ? [] : [part];
}

type Range = Pick<Part, "low" | "high">;

function between(low: unknown, high: unknown, open = 0): Range {
  return {
    low: typeof low === "number" ? [low, open] : [Number.NEGATIVE_INFINITY, 0],
    high: typeof high === "number" ? [high, -open] : [Number.POSITIVE_INFINITY, 0],
  };
}

function common(one: Range, other: Range): Range {
  return {
    low: order(one.low, other.low) > 0 ? one.low : other.low,
    high: order(one.high, other.high) < 0 ? one.high : other.high,
  };
}

export function order([a, openA]: Bound, [b, openB]: Bound): number {
  return a === b ? openA - openB : a < b ? -1 : 1;
}

/** The range that all assertions of a part together leave. */
export function rangeOf({ type, low, high, rules, members, rest }: Part): Range {
  if (type === "string" || type === "array") {
    const most = type === "array" && isNothing(rest) ? Object.keys(members).length : undefined;
    return common({ low, high }, between(0, most));
  }
  if (!Number.isInteger(rules.multipleOf)) return { low, high };
  return {
    low: [low[1] > 0 ? Math.floor(low[0]) + 1 : Math.ceil(low[0]), 0],
    high: [high[1] < 0 ? Math.ceil(high[0]) - 1 : Math.floor(high[0]), 0],
  };
}

export function isMultiple(value: unknown, of: unknown): boolean {
  const ratio = Number(value) / Number(of);
  return (
    Number(value) === 0 || (Math.abs(ratio - Math.round(ratio)) < 1e-9 && Math.round(ratio) !== 0)
  );
}

/** The schema of a property or an item. */
export function memberOf({ members, rest }: Part, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : rest;
}

/** The schema of what both schemas allow. */
function both(...schemas: readonly unknown[]): unknown {
  const all = distinct(schemas).filter((each) => each !== true && textOf(each) !== "{}");
  return all.length > 1 ? { allOf: all } : (all[0] ?? true);
}

/** The schema that a reference names. Its own references name the same document. */
function referenced(reference: unknown, documents: Named): unknown {
  const [name, pointer = ""] = split(String(reference), "#");
  const keys = pointer.split("/").slice(1);
  const schema = keys
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (value, key) => (Object.hasOwn(Object(value), key) ? Object(value)[key] : undefined),
      documents[name],
    );
  return within(name, schema);
}

/** The schema with its references into the document of this name. */
export function within(name: string, schema: unknown): unknown {
  return withReferences(schema ?? null, (each) => (each.startsWith("#") ? name + each : each));
}
