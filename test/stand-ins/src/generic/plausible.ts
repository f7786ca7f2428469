import { createHash } from "node:crypto";
import type { AttributeSchema, BlockSchema } from "../values/schema.js";
import { type Attributes, isAttributes, UNKNOWN, type Value } from "../values/value.js";

/**
 * Replaces the unknowns in `value` by plausible values: identifiers look like identifiers, and host
 * names end in `.invalid`, so that they cannot be mistaken for real ones. The same resource always
 * gets the same values.
 *
 * @param seed - text that identifies the resource, for example its ID.
 */
export function plausible(schema: BlockSchema, value: Attributes, seed: string): Attributes {
  const { attributes = {}, block_types = {} } = schema;
  const inventedIn = ([name, item]: [string, Value]): [string, Value] => {
    const attribute = attributes[name];
    if (attribute) return [name, item === UNKNOWN ? invented(name, attribute, seed) : item];
    const nested = (one: Value) =>
      isAttributes(one) ? plausible(block_types[name]?.block ?? {}, one, `${seed}/${name}`) : one;
    return [name, Array.isArray(item) ? item.map(nested) : nested(item)];
  };
  return Object.fromEntries(Object.entries(value).map(inventedIn));
}

/** A UUID derived from the text. */
export function uuidFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

function invented(name: string, { type, sensitive, optional }: AttributeSchema, seed: string) {
  if (type === "number") return 0;
  if (type === "bool") return false;
  if (type !== "string") return type[0] === "map" ? {} : type[0] === "object" ? null : [];
  const host = `${seed.split("/").at(-1)?.toLowerCase()}.stand-in.invalid`;
  const secret = createHash("sha256").update(`${seed}/${name}`).digest("base64");
  if (/connection_string/.test(name)) return `Endpoint=https://${host}/;Key=${secret}`;
  if (sensitive) return secret;
  if (/(^|_)(principal_id|tenant_id|client_id|guid|object_id|workspace_id)$/.test(name)) {
    return uuidFrom(`${seed}/${name}`);
  }
  if (/(fqdn|host|hostname|domain)$/.test(name)) return host;
  if (/(endpoint|uri|url)$/.test(name)) return `https://${host}/`;
  return optional || name.endsWith("_id") ? "" : `stand-in-${name}`;
}
