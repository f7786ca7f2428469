import { canonical, isOfType, isSchema } from "./payload-schema.js";

/** Assertions about values of one type; without any, it allows everything. */
export type Alternative = Readonly<Record<string, unknown>>;

/** Keywords for the reader, not for the value. */
const ANNOTATIONS = new Set(
  "$comment title description default examples deprecated readOnly writeOnly".split(" "),
);

/** The assertions about values of each type, and about any value. */
const ASSERTIONS = {
  string: "minLength maxLength pattern format contentEncoding contentMediaType".split(" "),
  number: "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(" "),
  array:
    "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains".split(
      " ",
    ),
  object: (
    "properties required additionalProperties patternProperties propertyNames minProperties " +
    "maxProperties dependencies dependentRequired dependentSchemas"
  ).split(" "),
  any: "type enum not if then else".split(" "),
};
const UNDERSTOOD = new Set(["const", ...Object.values(ASSERTIONS).flat()]);
const TYPES = ["array", "boolean", "null", "number", "object", "string"];

/** The types that have few values. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  boolean: [false, true],
  null: [null],
};
/** Keywords that mean something only together. */
export const TOGETHER = [
  ["patternProperties", "additionalProperties"],
  ["items", "prefixItems", "additionalItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
];
/** Keywords of which the greater, or the smaller, holds where both are asserted. */
const LEAST = new Set("minLength minItems minProperties minimum exclusiveMinimum".split(" "));
const MOST = new Set("maxLength maxItems maxProperties maximum exclusiveMaximum".split(" "));

/**
 * The schema as alternatives that each have one type, without references and unions; undefined if that
 * is not possible. `false` has no alternative.
 */
export function alternatives(
  schema: unknown,
  document: unknown,
  depth = 0,
): Alternative[] | undefined {
  if (schema === false) return [];
  if (schema === true) return [{}];
  if (!isSchema(schema) || depth > 32) return undefined;
  const { anyOf, oneOf, allOf, $ref, $defs: _, definitions: __, ...rest } = canonical(schema);
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !ANNOTATIONS.has(name)));
  if (!Object.keys(own).every((keyword) => UNDERSTOOD.has(keyword))) return undefined;
  let result = byType(own);
  const unions = [
    ...($ref === undefined ? [] : [[target($ref, document)]]),
    ...listOf(allOf).map((each) => [each]),
    ...[anyOf, oneOf].filter((each) => each !== undefined).map(listOf),
  ];
  for (const union of unions) {
    const branches = union.map((each) => alternatives(each, document, depth + 1));
    result =
      result && intersected(result, branches, union === unions.at(-1) && oneOf !== undefined);
  }
  return result && joined(result);
}

/** Each alternative of the left together with each of the branches. */
function intersected(
  left: readonly Alternative[],
  branches: readonly (readonly Alternative[] | undefined)[],
  isOneOf: boolean,
): Alternative[] | undefined {
  const known = branches.flatMap((each) => (each === undefined ? [] : [each]));
  // A value that two branches of oneOf allow is allowed by neither.
  if (known.length < branches.length || (isOneOf && !areDisjoint(known))) return undefined;
  const both: Alternative[] = [];
  for (const first of left) {
    for (const second of known.flat()) {
      const one = merged(first, second);
      if (one === undefined || both.length > 1000) return undefined;
      if (one !== "nothing") both.push(one);
    }
  }
  return both;
}

function byType(own: Alternative): Alternative[] | undefined {
  if (isAnything(own)) return [own];
  if (own.not === true || isSame(own.not, {})) return [];
  const types = own.type === undefined ? TYPES : [own.type].flat();
  if (!types.every((type) => type === "integer" || TYPES.includes(String(type)))) return undefined;
  return types.flatMap((declared) => {
    const type = declared === "number" && Number.isInteger(own.multipleOf) ? "integer" : declared;
    const family = type === "integer" ? "number" : type;
    const about = Object.entries(ASSERTIONS).flatMap(([name, keywords]) =>
      name === family || name === "any" ? keywords : [],
    );
    const kept = Object.entries(own).filter(([keyword]) => about.includes(keyword));
    const values = valuesOf(own)?.filter((each) => isOfType(each, type)) ?? VALUES[String(type)];
    if (values?.length === 0) return [];
    return [{ ...Object.fromEntries(kept), type, ...(values && { enum: values }) }];
  });
}

/** The alternatives with one list for all the values of a type. */
function joined(list: readonly Alternative[]): Alternative[] {
  const values = new Map<unknown, Alternative>();
  const others: Alternative[] = [];
  for (const each of list) {
    const { type } = each;
    if (each.enum === undefined || Object.keys(each).length > 2) others.push(each);
    else {
      const known = listOf(values.get(type)?.enum);
      values.set(type, { type, enum: [...new Set([...known, ...listOf(each.enum)])] });
    }
  }
  return [...others, ...values.values()];
}

/** What both allow: undefined if it is not one alternative, "nothing" if no value is allowed by both. */
function merged(first: Alternative, second: Alternative): Alternative | "nothing" | undefined {
  const types = [first.type, second.type].filter((type) => type !== undefined);
  const isNumber = types.includes("integer") && types.includes("number");
  if (new Set(types).size > 1 && !isNumber) return "nothing";
  const mixed = TOGETHER.some((group) => {
    const [one, other] = [first, second].map((each) => group.map((keyword) => each[keyword]));
    return !isSame(one, other) && hasSome(one) && hasSome(other);
  });
  if (mixed) return undefined;
  const both: Record<string, unknown> = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const own = both[keyword];
    if (own === undefined || isSame(own, value)) both[keyword] = value;
    else if (keyword === "type") both.type = "integer";
    else if (LEAST.has(keyword)) both[keyword] = Math.max(Number(own), Number(value));
    else if (MOST.has(keyword)) both[keyword] = Math.min(Number(own), Number(value));
    else if (keyword === "required")
      both.required = [...new Set([...listOf(own), ...listOf(value)])];
    else if (keyword === "enum") {
      const texts = new Set(listOf(value).map((each) => JSON.stringify(each)));
      const shared = listOf(own).filter((each) => texts.has(JSON.stringify(each)));
      if (shared.length === 0) return "nothing";
      both.enum = shared;
    } else if (keyword !== "properties") return undefined;
  }
  const names = new Set([first, second].flatMap((each) => Object.keys(membersOf(each))));
  if (names.size === 0) return both;
  const members = [...names].map((name) => {
    return [name, conjunction([first, second].map((each) => propertyOf(each, name)))];
  });
  return { ...both, properties: Object.fromEntries(members) };
}

function hasSome(values: readonly unknown[] | undefined): boolean {
  return values?.some((each) => each !== undefined) ?? false;
}

/** What a schema says about a property: by its name and patterns, otherwise as about any other. */
export function propertyOf(schema: Alternative, name: string): unknown {
  const members = membersOf(schema);
  const matching = Object.entries(patternsOf(schema)).filter(([pattern]) => matches(pattern, name));
  const all = matching.map(([, each]) => each);
  if (Object.hasOwn(members, name)) all.unshift(members[name]);
  return all.length === 0 ? (schema.additionalProperties ?? true) : conjunction(all);
}

function conjunction(schemas: readonly unknown[]): unknown {
  const texts = new Set(schemas.map((each) => JSON.stringify(each)));
  texts.delete("true");
  const all = [...texts].map((text): unknown => JSON.parse(text));
  return all.length > 1 ? { allOf: all } : (all[0] ?? true);
}

export function matches(pattern: string, value: unknown): boolean {
  try {
    return new RegExp(pattern, "u").test(String(value));
  } catch {
    return false;
  }
}

/** Whether no value is allowed by two branches: their types differ, or a constant that both require. */
function areDisjoint(branches: readonly (readonly Alternative[])[]): boolean {
  return branches.every((each, index) =>
    branches.slice(index + 1).every((other) => each.every((a) => other.every((b) => differ(a, b)))),
  );
}

export function differ(first: Alternative, second: Alternative): boolean {
  if (merged({ type: first.type }, { type: second.type }) === "nothing") return true;
  return listOf(first.required).some((name) => {
    const [a, b] = [first, second].map((each) => valuesOf(membersOf(each)[String(name)]));
    const isRequired = listOf(second.required).includes(name);
    return isRequired && a && b && !a.some((value) => b.some((each) => isSame(each, value)));
  });
}

/** The only values that a schema allows, if it names them. */
export function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isSchema(schema)) return undefined;
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** The schemas of named properties. */
export function membersOf({ properties }: Alternative): Readonly<Record<string, unknown>> {
  return isSchema(properties) ? properties : {};
}

/** The schemas of properties by patterns of their names. */
export function patternsOf({ patternProperties }: Alternative): Readonly<Record<string, unknown>> {
  return isSchema(patternProperties) ? patternProperties : {};
}

export function isAnything(alternative: Alternative): boolean {
  return Object.keys(alternative).length === 0;
}

export function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schema that a reference within the document names. */
function target(reference: unknown, document: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const tokens = decoded(reference.slice(1)).split("/").slice(1);
  return tokens.reduce<unknown>((value, token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const isHolder = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return isHolder ? Reflect.get(value, name) : undefined;
  }, document);
}

/** Libraries write names into references as they are, so `%` may stand for itself. */
function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
