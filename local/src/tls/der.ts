/** The parts of ASN.1's distinguished encoding rules (X.690) that an X.509 certificate needs. */

export function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

export function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0x00]));
}

/** A non-negative integer, given as bytes with the most significant first. */
export function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, Buffer.concat([Buffer.from(negative ? [0] : []), bytes]));
}

/** Whole bytes as bits; `unused` counts the bits to ignore at the end. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([unused]), bytes]));
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

/** A time between 1950 and 2049, to the second. */
export function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`, "ascii"));
}

/** An object identifier in dotted notation. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A field that is identified by its number in the enclosing structure. */
export function contextTagged(number: number, content: Uint8Array, constructed = false): Buffer {
  return tagged(0x80 | (constructed ? 0x20 : 0) | number, content);
}

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
