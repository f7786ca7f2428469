/** A JSON Schema in a dialect that has `type`, `properties` and the like. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The keywords whose members are schemas by name. */
const BY_NAME: readonly string[] = ["properties", "patternProperties", "definitions", "$defs"];
/** The keywords whose values are data, not schemas. */
const DATA = ["enum", "const", "default", "examples"];
/** Keywords with the values that have no effect. */
const NOTHING: JsonSchema = {
  properties: {},
  required: [],
  propertyNames: { type: "string" },
  additionalProperties: {},
  minLength: 0,
  minItems: 0,
};

/**
 * The same schema in one spelling, so that equal shapes give equal documents whichever library
 * describes them. Only the order of the keys is left as it is.
 */
export function spelled(value: unknown): unknown {
  if (!isSchema(value)) return value;
  const entries = Object.entries(value).map(([keyword, each]): [string, unknown] => {
    if (DATA.includes(keyword)) return [keyword, each];
    if (Array.isArray(each)) return [keyword, each.map(spelled)];
    return [keyword, BY_NAME.includes(keyword) ? spelledMembers(each) : spelled(each)];
  });
  const said = entries.filter(([keyword, each]) => textOf(each) !== textOf(NOTHING[keyword]));
  const { anyOf, ...own } = Object.fromEntries(said);
  for (const keyword of ["required", "type", "oneOf"]) {
    const list = own[keyword];
    if (Array.isArray(list)) own[keyword] = distinct(list);
  }
  const tuple = [own.prefixItems, own.items].find(Array.isArray);
  const isClosed = own.additionalItems === false || own.items === false;
  if (tuple !== undefined && isClosed && own.maxItems === tuple.length) delete own.maxItems;
  const schema = "const" in own || "enum" in own ? spelledValues(own) : withType(own, own.type);
  if (!Array.isArray(anyOf)) return schema;
  const union = spelledUnion(anyOf);
  const clashes = Object.keys(union).some((keyword) => keyword in schema);
  return { ...schema, ...(clashes ? { anyOf } : union) };
}

function spelledMembers(value: unknown): unknown {
  const members = Object.entries(Object(value));
  return Object.fromEntries(members.map(([name, each]) => [name, spelled(each)]));
}

/** The values with their types. Those that a declared type excludes are left out. */
function spelledValues({ type, const: value, enum: list, ...others }: JsonSchema): JsonSchema {
  const types = [type].flat();
  const named = distinct(Array.isArray(list) ? list : [value]).filter((each) => {
    const own = jsonType(each);
    const isNumber = own === "integer" && types.includes("number");
    return type === undefined || types.includes(own) || isNumber;
  });
  if (named.length === 0) return { not: {} };
  const values = named.length === 1 ? { const: named[0] } : { enum: named };
  return withType({ ...others, ...values }, distinct(named.map(jsonType)));
}

/** Types without further assertions become one list, and single values one enumeration. */
function spelledUnion(branches: readonly unknown[]): JsonSchema {
  const flat = branches.flatMap((each) => {
    const isUnion = isSchema(each) && Array.isArray(each.anyOf) && Object.keys(each).length === 1;
    return isUnion ? listOf(each.anyOf) : isNothing(each) ? [] : [each];
  });
  if (flat.length === 0) return { not: {} };
  if (flat.some((each) => each === true || textOf(each) === "{}")) return {};
  const values: unknown[] = [];
  const types: unknown[] = [];
  const others: unknown[] = [];
  for (const branch of flat) {
    const { type, const: value, enum: list, ...assertions } = Object(branch);
    if (Object.keys(assertions).length > 0) others.push(branch);
    else if (type !== undefined && value === undefined && list === undefined)
      types.push(...[type].flat());
    else values.push(...(list ?? [value]));
  }
  if (values.length > 0) others.push(spelledValues({ enum: values }));
  if (others.length === 0) return withType({}, distinct(types));
  const all = distinct([...others, ...types.map((type) => ({ type }))]);
  return all.length === 1 ? Object(all[0]) : { anyOf: all };
}

function withType({ type: _, ...schema }: JsonSchema, type: unknown): JsonSchema {
  if (type === undefined) return schema;
  const types = listOf(type);
  return { ...schema, type: types.length === 1 ? types[0] : type };
}

/** The JSON type of a value; whole numbers are integers. */
function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** The values, each once, in the order of their texts. */
export function distinct(values: readonly unknown[]): readonly unknown[] {
  const byText = new Map(values.map((each) => [textOf(each), each]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** The same text for the same value, whatever the order of its keys. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (!isSchema(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The value with each reference in it replaced. */
export function withReferences(value: unknown, replace: (reference: string) => string): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) =>
    key === "$ref" && typeof each === "string" ? replace(each) : each,
  );
}

/** Returns true if a schema allows no value. */
export function isNothing(schema: unknown): boolean {
  const text = textOf(isSchema(schema) ? schema.not : undefined);
  return schema === false || text === "{}" || text === "true";
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
