import { decode, ExtensionCodec, encode } from "@msgpack/msgpack";
import { type Attributes, UNKNOWN, Unknown, type Value } from "./value.js";

/** Terraform writes an unknown value as this extension, with one byte of zero. */
const PLAIN_UNKNOWN = 0;
/** An unknown with refinements (not null, a prefix …), which this package ignores. */
const REFINED_UNKNOWN = 12;

const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: PLAIN_UNKNOWN,
  encode: (value) => (value instanceof Unknown ? new Uint8Array(1) : null),
  decode: () => UNKNOWN,
});
extensionCodec.register({
  type: REFINED_UNKNOWN,
  encode: () => null,
  decode: () => UNKNOWN,
});

/** Reads a value from Terraform's msgpack. */
export function fromMsgpack(bytes: Uint8Array): Value {
  return withoutTypes(decode(bytes, { extensionCodec }) as Encoded);
}

/** A value of a dynamic type is a pair of its type, as JSON in bytes, and the value itself. */
type Encoded = Value | [type: Uint8Array, value: Encoded] | Encoded[] | { [name: string]: Encoded };

function withoutTypes(value: Encoded): Value {
  if (Array.isArray(value)) {
    const [type, inner] = value;
    if (type instanceof Uint8Array) return withoutTypes(inner ?? null);
    return value.map((item) => withoutTypes(item as Encoded));
  }
  if (typeof value !== "object" || value === null || value instanceof Unknown) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutTypes(member)]);
  return Object.fromEntries(members) as Value;
}

/** The type of a value, as JSON in Terraform's notation. */
function typeOf(value: Value): unknown {
  if (value === null || value instanceof Unknown) return "dynamic";
  if (Array.isArray(value)) return ["tuple", value.map(typeOf)];
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "object") return typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, typeOf(member)]);
  return ["object", Object.fromEntries(members)];
}

/**
 * Writes a value as Terraform's msgpack.
 *
 * @param dynamic names of the attributes of a dynamic type, which are written with their type
 */
export function toMsgpack(value: Attributes | null, dynamic: readonly string[] = []): Uint8Array {
  const typed = dynamic.map((name) => [name, withType(value?.[name] ?? null)] as const);
  return encode(value && { ...value, ...Object.fromEntries(typed) }, { extensionCodec });
}

function withType(value: Value): unknown {
  if (value === null || value instanceof Unknown) return value;
  return [Buffer.from(JSON.stringify(typeOf(value))), value];
}
