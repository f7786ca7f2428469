import { canonical, isSchema, jsonType } from "./payload-schema.js";

/** Assertions about values of one type; without any, it allows everything. */
export type Alternative = Readonly<Record<string, unknown>>;

/** Keywords for the reader, not for the value. */
const ANNOTATIONS = new Set(
  "$comment title description default examples deprecated readOnly writeOnly".split(" "),
);

const TYPES = ["array", "boolean", "null", "number", "object", "string"];
/** Keywords of which the greater, or the smaller, holds where both are asserted. */
const LEAST = new Set("minLength minItems minProperties minimum exclusiveMinimum".split(" "));
const MOST = new Set("maxLength maxItems maxProperties maximum exclusiveMaximum".split(" "));

/**
 * The schema as alternatives that each have one type, without references and unions; undefined if that
 * is not possible. `false` has no alternative.
 *
 * @param understood the keywords that the caller compares
 */
export function alternatives(
  schema: unknown,
  document: unknown,
  understood: ReadonlySet<string>,
  depth = 0,
): Alternative[] | undefined {
  if (schema === false) return [];
  if (schema === true) return [{}];
  if (!isSchema(schema) || depth > 32) return undefined;
  const { anyOf, oneOf, allOf, $ref, $defs: _, definitions: __, ...rest } = canonical(schema);
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !ANNOTATIONS.has(name)));
  if (!Object.keys(own).every((keyword) => understood.has(keyword))) return undefined;
  let result: Alternative[] | undefined = byType(own);
  const unions = [
    ...($ref === undefined ? [] : [[target($ref, document)]]),
    ...listOf(allOf).map((each) => [each]),
    ...[anyOf, oneOf].filter((each) => each !== undefined).map(listOf),
  ];
  for (const union of unions) {
    const branches = union.map((each) => alternatives(each, document, understood, depth + 1));
    result =
      result && intersected(result, branches, union === unions.at(-1) && oneOf !== undefined);
  }
  return result;
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

function byType(own: Alternative): Alternative[] {
  if (isAnything(own)) return [own];
  const types =
    own.type === undefined ? TYPES : listOf(own.type).length ? listOf(own.type) : [own.type];
  return types.map((type) => ({
    ...own,
    type: type === "number" && Number.isInteger(own.multipleOf) ? "integer" : type,
    ...(Array.isArray(own.enum) && { enum: own.enum.filter((value) => isOfType(value, type)) }),
  }));
}

/** What both allow: undefined if it is not one alternative, "nothing" if no value is allowed by both. */
function merged(first: Alternative, second: Alternative): Alternative | "nothing" | undefined {
  const both: Record<string, unknown> = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const own = both[keyword];
    if (own === undefined || isSame(own, value)) both[keyword] = value;
    else if (keyword === "type") {
      const narrower = [own, value].includes("integer") && [own, value].includes("number");
      if (!narrower) return "nothing";
      both.type = "integer";
    } else if (LEAST.has(keyword)) both[keyword] = Math.max(Number(own), Number(value));
    else if (MOST.has(keyword)) both[keyword] = Math.min(Number(own), Number(value));
    else if (keyword === "required")
      both.required = [...new Set([...listOf(own), ...listOf(value)])];
    else if (keyword === "properties" && isSchema(own) && isSchema(value)) {
      const shared = Object.entries(value).map(([name, schema]) => {
        return [name, Object.hasOwn(own, name) ? { allOf: [own[name], schema] } : schema];
      });
      both.properties = { ...own, ...Object.fromEntries(shared) };
    } else return undefined;
  }
  return closes(first, second) || closes(second, first) ? undefined : both;
}

/** Whether the first says what properties are that only the second one names. */
function closes(first: Alternative, second: Alternative): boolean {
  if (first.additionalProperties === undefined) return false;
  return Object.keys(membersOf(second)).some((name) => !Object.hasOwn(membersOf(first), name));
}

/** Whether no value is allowed by two branches: their types differ, or a constant that both require. */
function areDisjoint(branches: readonly (readonly Alternative[])[]): boolean {
  return branches.every((each, index) =>
    branches.slice(index + 1).every((other) => each.every((a) => other.every((b) => differ(a, b)))),
  );
}

function differ(first: Alternative, second: Alternative): boolean {
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

export function isAnything(alternative: Alternative): boolean {
  return Object.keys(alternative).length === 0;
}

function isOfType(value: unknown, type: unknown): boolean {
  const own = jsonType(value);
  return own === type || (own === "integer" && type === "number");
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
  const tokens = decodeURIComponent(reference.slice(1)).split("/").slice(1);
  return tokens.reduce<unknown>((value, token) => {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const isHolder = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return isHolder ? Reflect.get(value, name) : undefined;
  }, document);
}
