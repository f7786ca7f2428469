import { type EventCatalogue, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";

/** A JSON Schema in a dialect that has `type`, `properties` and the like. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The dialects that are written: AsyncAPI's tools read draft-07, generators of models 2020-12. */
export type Dialect = "draft-07" | "draft-2020-12";

/** The schema of an event's payload, or the reason why it has none. */
export type PayloadSchema =
  | { readonly schema: JsonSchema }
  | { readonly missing: string; readonly documentation?: string };

/**
 * The services of Azure, each with a link to the schemas of its events.
 *
 * @see https://learn.microsoft.com/azure/event-grid/system-topics#azure-services-that-support-system-topics
 */
const AZURE_SCHEMAS =
  "https://learn.microsoft.com/azure/event-grid/system-topics#azure-services-that-support-system-topics";

const azureTypes: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

/**
 * The JSON Schema of what publishers send for an event type, from the catalogue's own library.
 *
 * @see https://standardschema.dev/json-schema
 */
export function payloadSchema(
  { schemas }: EventCatalogue,
  eventType: string,
  dialect: Dialect,
): PayloadSchema {
  const definition = schemas.get(eventType);
  if (definition === undefined) {
    if (azureTypes.has(eventType)) {
      return { missing: "Microsoft documents the payload", documentation: AZURE_SCHEMAS };
    }
    return {
      missing:
        "type<…>() has no schema at run time: define the payload with zod, ArkType or Valibot instead",
    };
  }
  const input = inputConverter(definition["~standard"]);
  if (input === undefined) {
    const { vendor } = definition["~standard"];
    const advice =
      vendor === "valibot"
        ? "wrap the schema in toStandardJsonSchema of @valibot/to-json-schema"
        : "use a version or an adapter that implements Standard JSON Schema";
    return { missing: `${vendor} offers no JSON Schema here: ${advice}` };
  }
  try {
    return { schema: canonical(input({ target: dialect })) };
  } catch (error) {
    return { missing: `not expressed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

type InputConverter = (options: { readonly target: Dialect }) => JsonSchema;

function inputConverter(standard: object): InputConverter | undefined {
  if (!("jsonSchema" in standard)) return undefined;
  const converter: unknown = standard.jsonSchema;
  if (typeof converter !== "object" || converter === null || !("input" in converter))
    return undefined;
  const { input } = converter;
  return typeof input === "function" ? (options) => input.call(converter, options) : undefined;
}

/** The keywords whose members are schemas by name; the members keep their names and order of names. */
const SCHEMAS_BY_NAME = new Set(
  "properties patternProperties definitions $defs dependencies dependentRequired dependentSchemas".split(
    " ",
  ),
);
/** The keywords whose values are data, not schemas. */
const DATA = new Set(["enum", "const", "default", "examples"]);

/**
 * The same schema in one spelling, so that equal shapes give equal documents whichever library
 * describes them: members and sets are sorted, and what says nothing is left out.
 */
export function canonical(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return sorted(spellOnce(mapSchemas(rest, canonicalValue)));
}

function canonicalValue(value: unknown): unknown {
  return isSchema(value) ? canonical(value) : value;
}

/** The schema with each schema directly in it replaced. */
export function mapSchemas(
  schema: JsonSchema,
  replace: (schema: unknown) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (DATA.has(keyword)) return [keyword, value];
    if (SCHEMAS_BY_NAME.has(keyword) && isSchema(value)) {
      const members = Object.entries(value).map(([name, each]) => [name, replace(each)]);
      return [keyword, Object.fromEntries(members)];
    }
    return [keyword, Array.isArray(value) ? value.map(replace) : replace(value)];
  });
  return Object.fromEntries(entries);
}

/** What a keyword says without effect. */
const NOTHING: readonly (readonly [string, unknown])[] = [
  ["properties", {}],
  ["required", []],
  ["propertyNames", { type: "string" }],
  ["additionalProperties", {}],
  ["additionalProperties", true],
  ["minLength", 0],
  ["minItems", 0],
  ["uniqueItems", false],
];

function spellOnce(schema: Record<string, unknown>): Record<string, unknown> {
  let spelt = { ...schema };
  for (const [keyword, nothing] of NOTHING) {
    if (says(spelt[keyword], nothing)) delete spelt[keyword];
  }
  for (const keyword of ["required", "type"]) {
    const list = spelt[keyword];
    if (!Array.isArray(list)) continue;
    spelt[keyword] = list.length === 1 && keyword === "type" ? list[0] : [...list].sort();
  }
  const named = "const" in spelt ? [spelt.const] : spelt.enum;
  if (Array.isArray(named)) {
    const { type, enum: _enum, const: _const, ...others } = spelt;
    const declared = type === undefined ? undefined : [type].flat();
    const values = named.filter((each) => declared?.some((one) => isOfType(each, one)) ?? true);
    if (values.length === 0) return { not: {} };
    const types = distinct(values.map(jsonType));
    const list = values.length === 1 ? { const: values[0] } : { enum: distinct(values) };
    spelt = { ...others, ...list, type: types.length === 1 ? types[0] : types };
  }
  if (Array.isArray(spelt.oneOf)) spelt.oneOf = distinct(spelt.oneOf);
  if (Array.isArray(spelt.anyOf)) {
    const { anyOf, ...others } = spelt;
    const union = spellUnion(spelt.anyOf);
    const clashes = Object.keys(union).some((keyword) => keyword in others);
    return clashes ? { ...others, anyOf } : { ...others, ...union };
  }
  const tuple = Array.isArray(spelt.prefixItems) ? spelt.prefixItems : spelt.items;
  const isClosed = spelt.additionalItems === false || spelt.items === false;
  if (Array.isArray(tuple) && isClosed && Number(spelt.maxItems) >= tuple.length)
    delete spelt.maxItems;
  return spelt;
}

/** Types without further assertions become one list, and single values one enumeration. */
function spellUnion(branches: readonly JsonSchema[]): Record<string, unknown> {
  const flat = branches.flatMap((each) => {
    if (each.anyOf !== undefined && says(each, { anyOf: each.anyOf }))
      return each.anyOf as JsonSchema[];
    return says(each, false) || says(each, { not: {} }) ? [] : [each];
  });
  if (flat.length === 0) return { not: {} };
  if (flat.some((each) => says(each, true) || says(each, {}))) return {};
  const values: unknown[] = [];
  const types: unknown[] = [];
  const others: unknown[] = [];
  for (const branch of flat) {
    const { type, const: value, enum: list, ...assertions } = branch;
    if (Object.keys(assertions).length > 0) others.push(branch);
    else if ("const" in branch) values.push(value);
    else if (Array.isArray(list)) values.push(...list);
    else types.push(...(Array.isArray(type) ? type : [type]));
  }
  if (values.length > 0) others.push(sorted(spellOnce({ enum: distinct(values) })));
  if (others.length === 0) return spellOnce({ type: distinct(types) });
  const all = distinct([...others, ...distinct(types).map((type) => ({ type }))]);
  return all.length === 1 ? { ...(all[0] as JsonSchema) } : { anyOf: all };
}

/** The values, each once, in the order of their texts. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values.map((each) => JSON.stringify(each)))]
    .sort()
    .map((text) => JSON.parse(text));
}

function says(value: unknown, same: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(same);
}

function sorted(schema: Record<string, unknown>): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([keyword, value]) => [
        keyword,
        SCHEMAS_BY_NAME.has(keyword) && isSchema(value) ? sorted({ ...value }) : value,
      ]),
  );
}

/** The JSON type of a value; whole numbers are integers. */
function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

export function isOfType(value: unknown, type: unknown): boolean {
  const own = jsonType(value);
  return own === type || (own === "integer" && type === "number");
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
