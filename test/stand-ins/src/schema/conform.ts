import { type Attributes, isAttributes, UNKNOWN, type Value } from "../values/value.js";
import type { BlockSchema, NestedBlockSchema, Type } from "./schema.js";

/**
 * Completes a value as the protocol requires: every attribute and block of the schema is present,
 * missing ones as null (blocks as an empty collection), and sets are sorted.
 *
 * @throws when the value has an attribute that is not in the schema.
 */
export function conform(schema: BlockSchema, value: Attributes): Attributes {
  const { attributes = {}, block_types: blocks = {} } = schema;
  const stray = Object.keys(value).filter((name) => !(name in attributes) && !(name in blocks));
  if (stray.length > 0) throw new Error(`not in the schema: ${stray.join(", ")}`);
  return Object.fromEntries([
    ...Object.entries(attributes).map(([name, { type }]) => [name, shaped(type, value[name])]),
    ...Object.entries(blocks).map(([name, nested]) => [name, conformNested(nested, value[name])]),
  ]);
}

function conformNested(nested: NestedBlockSchema, value: Value | undefined): Value {
  if (value === UNKNOWN) return value;
  const one = (item: Value) => (isAttributes(item) ? conform(nested.block, item) : item);
  if (nested.nesting_mode === "single") return one(value ?? null);
  return Array.isArray(value) ? value.map(one) : [];
}

function shaped(type: Type, value: Value | undefined): Value {
  if (value === undefined || value === null) return null;
  if (value === UNKNOWN || typeof type === "string") return value;
  if (type[0] === "object") {
    const fields = isAttributes(value) ? value : {};
    return Object.fromEntries(
      Object.entries(type[1]).map(([name, field]) => [name, shaped(field, fields[name])]),
    );
  }
  const element = type[1];
  if (Array.isArray(value)) {
    const items = value.map((item) => shaped(element, item));
    return type[0] === "set" ? items.sort(byText) : items;
  }
  if (!isAttributes(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shaped(element, item)]),
  );
}

function byText(one: Value, other: Value): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
