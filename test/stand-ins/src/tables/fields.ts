import { at, isObject, type Json, type JsonObject } from "../cloud/json-client.js";
import { blocks } from "../provider/provider.js";
import type { BlockSchema, NestedBlockSchema, Type } from "../schema/schema.js";
import { type Attributes, isAttributes, type Value } from "../values/value.js";

/**
 * Where the attributes and blocks of a resource type are in the service's JSON. The schema says which
 * type they have, and whether a configuration can set them.
 */
export type Fields = Readonly<Record<string, string | Field>>;

interface Field {
  /** Names from the top of the JSON, separated by dots. */
  readonly path: string;
  /** The fields of a block. */
  readonly fields?: Fields;
  /** Whether requests do not contain it (`read`), or responses are ignored (`write`). */
  readonly only?: "read" | "write";
  /** Converts the service's value, if the schema's type does not say how. */
  readonly read?: (json: Json | undefined) => Value;
  /** Converts the configured value; `undefined` is left out of the request. */
  readonly write?: (value: Value) => Json | undefined;
}

/** Attributes that have the same names in the service's JSON, in camel case. */
export function sameNames(...names: string[]): Record<string, string> {
  const camelCase = (name: string) =>
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(names.map((name) => [name, camelCase(name)]));
}

/** The attributes and blocks of the schema that a response contains. */
export function readFields(schema: BlockSchema, fields: Fields, body: Json): Attributes {
  const { attributes = {}, block_types = {} } = schema;
  const result: Attributes = {};
  for (const [name, given] of Object.entries(fields)) {
    const field = typeof given === "string" ? { path: given } : given;
    const type = attributes[name]?.type;
    const block = block_types[name];
    if (field.only === "write" || (type === undefined && block === undefined)) continue;
    const json = at(body, ...field.path.split("."));
    if (field.read !== undefined) result[name] = field.read(json);
    else if (type !== undefined) result[name] = toValue(type, json);
    else if (block !== undefined) {
      const items = Array.isArray(json) ? json : isObject(json) ? [json] : [];
      result[name] = items.map((item) => readFields(block.block, field.fields ?? {}, item));
    }
  }
  return result;
}

/**
 * The body of a request.
 *
 * @param empty - how the service clears a text: with null, or by its absence
 */
export function writeFields(
  schema: BlockSchema,
  fields: Fields,
  planned: Attributes,
  empty: "null" | "absent",
): JsonObject {
  const body: JsonObject = {};
  for (const [name, given] of Object.entries(fields)) {
    const field = typeof given === "string" ? { path: given } : given;
    const attribute = schema.attributes?.[name];
    const block = schema.block_types?.[name];
    const isSettable = block !== undefined || attribute?.required || attribute?.optional;
    if (field.only === "read" || !isSettable) continue;
    let json: Json | undefined;
    if (field.write !== undefined) json = field.write(planned[name] ?? null);
    else if (attribute !== undefined) json = toJson(attribute.type, planned[name] ?? null, empty);
    else if (block !== undefined) json = blocksToJson(name, block, field, planned, empty);
    if (json !== undefined) put(body, field.path.split("."), json);
  }
  return body;
}

function blocksToJson(
  name: string,
  { block, max_items }: NestedBlockSchema,
  { fields = {} }: Field,
  planned: Attributes,
  empty: "null" | "absent",
): Json | undefined {
  const items = blocks(planned, name).map((item) => writeFields(block, fields, item, empty));
  return max_items === 1 ? items[0] : items;
}

function toValue(type: Type, json: Json | undefined): Value {
  if (type === "string") return typeof json === "string" ? json : "";
  if (type === "number") return typeof json === "number" ? json : 0;
  if (type === "bool") return json === true;
  if (type[0] === "map") return isObject(json) ? (json as Attributes) : {};
  return Array.isArray(json) ? json.filter((item) => typeof item === "string") : [];
}

/** A number of zero counts as not set, as in the real providers. */
function toJson(type: Type, value: Value, empty: "null" | "absent"): Json | undefined {
  const nothing = empty === "null" ? null : undefined;
  if (type === "string") return typeof value === "string" && value !== "" ? value : nothing;
  if (type === "number") return typeof value === "number" && value !== 0 ? value : undefined;
  if (type === "bool") return value === true;
  if (type[0] === "map") return isAttributes(value) ? (value as JsonObject) : {};
  const items = Array.isArray(value) ? (value as Json[]) : [];
  return items.length > 0 || empty === "null" ? items : undefined;
}

function put(body: JsonObject, [name = "", ...rest]: string[], json: Json): void {
  if (rest.length === 0) {
    body[name] = json;
    return;
  }
  const inner = body[name];
  const object = isObject(inner) ? inner : {};
  body[name] = object;
  put(object, rest, json);
}
