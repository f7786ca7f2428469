import {
  distinct,
  isNothing,
  isSchema,
  type JsonSchema,
  listOf,
  textOf,
  withReferences,
} from "./spelling.js";

/** Values of one type that a schema allows. The normal form of a schema is a list of such parts. */
export interface Part {
  readonly type: string;
  /** The only value, as text. */
  readonly constant?: string;
  /** Of a number, or of the count of characters, items or properties. */
  readonly range: Range;
  /** Assertions by keyword, all of which hold. Those that are not understood are `other`. */
  readonly rules: Readonly<Record<string, readonly unknown[]>>;
  /** The schemas of properties by name, or of items by index. */
  readonly members: Named;
  readonly patterns: Named;
  readonly required: readonly string[];
  /** The schema of all other properties or items. */
  readonly rest: unknown;
}

type Named = Readonly<Record<string, unknown>>;

interface Range {
  readonly low: Bound;
  readonly high: Bound;
}

/** A number, and whether the values begin above it (1), end below it (-1), or include it (0). */
type Bound = readonly [at: number, open: number];

const ALL: Range = {
  low: [Number.NEGATIVE_INFINITY, 0],
  high: [Number.POSITIVE_INFINITY, 0],
};

/** The keywords about each type: the bounds, and the assertions that are compared as they are. */
const KEYWORDS: Readonly<Record<string, readonly [least: string, most: string, string[]]>> = {
  array: ["minItems", "maxItems", ["uniqueItems"]],
  number: ["minimum", "maximum", ["multipleOf"]],
  object: ["minProperties", "maxProperties", ["propertyNames"]],
  string: ["minLength", "maxLength", ["contentEncoding", "contentMediaType", "format", "pattern"]],
};
const TYPES = ["array", "boolean", "null", "number", "object", "string"];
const VALUES = new Map<string, unknown[]>([
  ["boolean", [false, true]],
  ["null", [null]],
]);
const UNDERSTOOD = new Set([
  ...Object.values(KEYWORDS).flat(2),
  ..."type enum const $ref $defs definitions exclusiveMinimum exclusiveMaximum".split(" "),
  ..."items prefixItems additionalItems properties required".split(" "),
  ..."additionalProperties patternProperties".split(" "),
  // For readers only.
  ..."$schema $comment title description default examples deprecated readOnly writeOnly".split(" "),
]);

/**
 * Returns the function that brings schemas into their normal form. The form allows what its schema
 * allows, or more if parts have the rule `other`.
 *
 * @param documents what references point into: `name#/pointer`
 */
export function normalForms(documents: Named) {
  let depth = 0;

  function normalForm(schema: unknown): readonly Part[] {
    if (isNothing(schema)) return [];
    if (schema === true) return partsOf({});
    if (!isSchema(schema) || depth > 32) return partsOf({ not: schema });
    const { anyOf, oneOf, allOf, $ref, ...own } = schema;
    const unions = [
      ...($ref === undefined ? [] : [[referenced($ref, documents)]]),
      ...listOf(allOf).map((each) => [each]),
      ...[anyOf, oneOf].filter(Array.isArray),
    ];
    depth++;
    let parts = partsOf(own);
    for (const union of unions) {
      const branches = union.map(normalForm);
      parts = parts.flatMap((one) => branches.flat().flatMap((other) => merged(one, other)));
      // A value that two branches of oneOf allow is allowed by neither.
      if (union === oneOf && !areApart(branches))
        parts = parts.map((each) => withRules(each, { other: [textOf({ oneOf })] }));
    }
    depth--;
    return parts.length > 1000 ? partsOf({ not: schema }) : parts;
  }

  function partsOf(schema: JsonSchema): Part[] {
    const types = schema.type === undefined ? TYPES : [schema.type].flat();
    const typed = types.map((type) => partOf(String(type), schema));
    const values = "const" in schema ? [schema.const] : schema.enum;
    return typed.flatMap((part) => {
      const few = Array.isArray(values) ? values : VALUES.get(part.type);
      return few?.flatMap((value) => merged(constantOf(value), part)) ?? [part];
    });
  }

  /** The values that both parts allow: one part, or none. */
  function merged(one: Part, other: Part): Part[] {
    if (areDisjoint(one, other)) return [];
    const names = [one, other].flatMap(({ members }) => Object.keys(members));
    const patterns = { ...one.patterns };
    for (const [pattern, schema] of Object.entries(other.patterns))
      patterns[pattern] = both(patterns[pattern] ?? true, schema);
    const part: Part = {
      ...one,
      ...other,
      range: intersection(one.range, other.range),
      members: Object.fromEntries(
        names.map((name) => [name, both(memberOf(one, name), memberOf(other, name))]),
      ),
      patterns,
      required: [...new Set([...one.required, ...other.required])],
      rest: both(one.rest, other.rest),
    };
    // What one says of all other properties holds for those that only match patterns of the other.
    const isMixed =
      textOf(one.patterns) !== textOf(other.patterns) &&
      [one, other].every((each) => Object.keys(each.patterns).length > 0 || each.rest !== true);
    const rules = withRules(part, one.rules);
    return [isMixed ? withRules(rules, { other: [textOf([one, other])] }) : rules];
  }

  /** Returns true if no value is allowed by two of the lists of parts, as far as this is known. */
  function areApart(lists: readonly (readonly Part[])[]): boolean {
    return lists.every((one, index) =>
      lists.slice(index + 1).every((other) => {
        return one.every((each) => other.every((part) => areDisjoint(each, part)));
      }),
    );
  }

  function areDisjoint(one: Part, other: Part): boolean {
    if (one.type !== other.type) return true;
    const isOther = one.constant !== other.constant;
    if (one.constant !== undefined && other.constant !== undefined) return isOther;
    if (refuses(one.rules, other.constant) || refuses(other.rules, one.constant)) return true;
    const { low, high } = intersection(rangeOf(one), rangeOf(other));
    if (order(low, high) > 0) return true;
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

/** What a schema without unions says about values of one type. */
function partOf(declared: string, schema: JsonSchema): Part {
  const type = declared === "integer" ? "number" : declared;
  const [least = "", most = "", keywords = []] = KEYWORDS[type] ?? [];
  const rules: Record<string, readonly unknown[]> = {};
  for (const keyword of keywords) {
    const isSaid = keyword in schema && (keyword !== "uniqueItems" || schema[keyword] === true);
    if (isSaid) rules[keyword] = [schema[keyword]];
  }
  const others = Object.entries(schema).filter(([keyword]) => !UNDERSTOOD.has(keyword));
  // These depend on the keywords beside them.
  const isWhole = others.some(([keyword]) => keyword.startsWith("unevaluated"));
  if (others.length > 0) rules.other = [textOf(isWhole ? schema : Object.fromEntries(others))];
  const { items, prefixItems, additionalItems, properties, patternProperties } = schema;
  const { exclusiveMinimum, exclusiveMaximum, additionalProperties } = schema;
  const tuple = [prefixItems, items].find(Array.isArray);
  const [isObject, isArray, isNumber] = ["object", "array", "number"].map((each) => each === type);
  const further = Array.isArray(items) ? additionalItems : items;
  const open = isNumber ? between(exclusiveMinimum, exclusiveMaximum, 1) : between(0, undefined);
  const part: Part = {
    type,
    range: intersection(between(schema[least], schema[most]), open),
    rules,
    members: namedIn(isArray ? { ...tuple } : isObject && properties),
    patterns: namedIn(isObject && patternProperties),
    required: isObject ? listOf(schema.required).map(String) : [],
    rest: (isArray ? further : isObject ? additionalProperties : true) ?? true,
  };
  return declared === "integer" ? withRules(part, { multipleOf: [1] }) : part;
}

/** The part with one value; an array or an object is not understood. */
function constantOf(value: unknown): Part {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (type === "array" || type === "object") return partOf(type, { not: { const: value } });
  const count = typeof value === "string" ? [...value].length : value;
  const part = partOf(type, {});
  return {
    ...part,
    range: intersection(part.range, between(count, count)),
    constant: textOf(value),
  };
}

function between(low: unknown, high: unknown, open = 0): Range {
  return {
    low: typeof low === "number" ? [low, open] : ALL.low,
    high: typeof high === "number" ? [high, -open] : ALL.high,
  };
}

export function order([a, openA]: Bound, [b, openB]: Bound): number {
  return a === b ? openA - openB : a < b ? -1 : 1;
}

function intersection(one: Range, other: Range): Range {
  return {
    low: order(one.low, other.low) > 0 ? one.low : other.low,
    high: order(one.high, other.high) < 0 ? one.high : other.high,
  };
}

/** The range that all assertions of a part together leave. */
export function rangeOf(part: Part): Range {
  const { type, rules, members, required } = part;
  const count = Object.values(members).filter((each) => !isNothing(each)).length;
  const hasCount = type === "array" || type === "object";
  const counts = between(required.length, isClosed(part) ? count : undefined);
  const { low, high } = hasCount ? intersection(part.range, counts) : part.range;
  if (!rules.multipleOf?.some(Number.isInteger)) return { low, high };
  return {
    low: [low[1] > 0 ? Math.floor(low[0]) + 1 : Math.ceil(low[0]), 0],
    high: [high[1] < 0 ? Math.ceil(high[0]) - 1 : Math.floor(high[0]), 0],
  };
}

/** Returns true if a part has no properties or items beside those that it names. */
export function isClosed({ rest, patterns }: Part): boolean {
  return isNothing(rest) && Object.keys(patterns).length === 0;
}

/** Returns true if a pattern or a divisor does not allow the constant. */
export function refuses({ pattern, multipleOf }: Part["rules"], constant = ""): boolean {
  if (constant === "") return false;
  const value: unknown = JSON.parse(constant);
  return (
    listOf(pattern).some((each) => !matches(String(each), value)) ||
    listOf(multipleOf).some((each) => !isMultiple(value, each))
  );
}

export function isMultiple(value: unknown, of: unknown): boolean {
  const ratio = Number(value) / Number(of);
  return value === 0 || (Math.abs(ratio - Math.round(ratio)) < 1e-9 && Math.round(ratio) !== 0);
}

/** The schema of a property or an item: by its name and patterns, otherwise that of all others. */
export function memberOf({ members, patterns, rest }: Part, name: string): unknown {
  const matching = Object.keys(patterns).filter((pattern) => matches(pattern, name));
  const all = matching.map((pattern) => patterns[pattern]);
  if (Object.hasOwn(members, name)) all.push(members[name]);
  return both(...(all.length > 0 ? all : [rest]));
}

/** The schema of what all the schemas allow. */
function both(...schemas: readonly unknown[]): unknown {
  const all = distinct(schemas).filter((each) => each !== true && textOf(each) !== "{}");
  return all.length > 1 ? { allOf: all } : (all[0] ?? true);
}

function withRules(part: Part, more: Part["rules"]): Part {
  const rules = { ...part.rules };
  for (const [keyword, added] of Object.entries(more))
    rules[keyword] = distinct([...(rules[keyword] ?? []), ...added]);
  return { ...part, rules };
}

function matches(pattern: string, value: unknown): boolean {
  try {
    return new RegExp(pattern, "u").test(String(value));
  } catch {
    return true;
  }
}

/** The schema that a reference names. Its own references name the same document. */
function referenced(reference: unknown, documents: Named): unknown {
  const [name = "", pointer = ""] = String(reference).split("#");
  const schema = pointer
    .split("/")
    .slice(1)
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

function namedIn(value: unknown): Named {
  return isSchema(value) ? value : {};
}
