import { createHash } from "node:crypto";
import type { AttributeSchema, BlockSchema, Type } from "../schema/schema.js";
import { type Attributes, isAttributes, UNKNOWN, type Value } from "../values/value.js";

/**
 * Replaces the unknowns in `value` by plausible values: identifiers look like identifiers, and host
 * names end in `.invalid`, so that they cannot be mistaken for real ones. The same resource always
 * gets the same values.
 *
 * @param seed - text that identifies the resource, for example its ID.
 */
export function plausible(schema: BlockSchema, value: Attributes, seed: string): Attributes {
  const { attributes = {}, block_types: blocks = {} } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const attribute = attributes[name];
      if (attribute !== undefined) {
        return [name, item === UNKNOWN ? invented(name, attribute, seed) : item];
      }
      const block = blocks[name]?.block;
      const nested = (one: Value) =>
        block !== undefined && isAttributes(one) ? plausible(block, one, `${seed}/${name}`) : one;
      return [name, Array.isArray(item) ? item.map(nested) : nested(item)];
    }),
  );
}

/** A UUID derived from the text. */
export function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

function invented(
  name: string,
  { type, sensitive, optional }: AttributeSchema,
  seed: string,
): Value {
  if (type !== "string") return empty(type);
  const key = `${seed}/${name}`;
  const host = `${seed.split("/").at(-1)?.toLowerCase()}.stand-in.invalid`;
  if (/connection_string/.test(name)) return `Endpoint=https://${host}/;Key=${secret(key)}`;
  if (sensitive) return secret(key);
  if (/(^|_)(principal_id|tenant_id|client_id|guid|object_id|workspace_id)$/.test(name)) {
    return uuidFrom(key);
  }
  if (/(fqdn|host|hostname|domain)$/.test(name)) return host;
  if (/(endpoint|uri|url)$/.test(name)) return `https://${host}/`;
  return optional || name.endsWith("_id") ? "" : `stand-in ${name}`;
}

function secret(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}

function empty(type: Type): Value {
  if (type === "number") return 0;
  if (type === "bool") return false;
  return type[0] === "map" || type[0] === "object" ? {} : [];
}
