import { decode, ExtensionCodec, encode } from "@msgpack/msgpack";
import { UNKNOWN, Unknown, type Value } from "./value.js";

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
  return decode(bytes, { extensionCodec }) as Value;
}

/** Writes a value as Terraform's msgpack. */
export function toMsgpack(value: Value): Uint8Array {
  return encode(value, { extensionCodec });
}
