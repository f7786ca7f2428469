import type { IncomingHttpHeaders } from "node:http";
import { InvalidBodyError, parseJson } from "./json.js";
import { MalformedEvent, type Received, readEvent } from "./read-event.js";

/**
 * Reads a request of binary content mode.
 *
 * The body is JSON, text or bytes, depending on `Content-Type`; without a body the event has no data.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function readBinary(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  body: Buffer,
): Received {
  const contentType = headers["content-type"];
  const { attributes, flaws } = headerAttributes(rawHeaders);
  if (contentType !== undefined) attributes.datacontenttype = contentType;
  try {
    if (body.length > 0) attributes.data = dataOf(contentType, body, flaws);
  } catch (error) {
    if (error instanceof InvalidBodyError) return new MalformedEvent([...flaws, error.message]);
    throw error;
  }
  const received = readEvent(attributes);
  if (flaws.length === 0) return received;
  if (received instanceof MalformedEvent) {
    return new MalformedEvent([...flaws, ...received.problems]);
  }
  return { event: received.event, flaws: [...flaws, ...received.flaws] };
}

function headerAttributes(rawHeaders: readonly string[]) {
  const attributes: Record<string, unknown> = {};
  const flaws: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]?.toLowerCase() ?? "";
    if (!header.startsWith("ce-")) continue;
    const name = header.slice(3);
    const value = rawHeaders[at + 1] ?? "";
    if (DATA_HEADERS.has(name)) {
      flaws.push(`the header ${header} is not an attribute in binary content mode and was ignored`);
    } else if (Object.hasOwn(attributes, name)) {
      flaws.push(`the header ${header} occurs more than once: only the first was used`);
    } else {
      const text = decoded(value);
      if (text === undefined) flaws.push(`the header ${header} is not percent-encoded UTF-8`);
      Object.defineProperty(attributes, name, { value: text ?? value, ...PLAIN });
    }
  }
  return { attributes, flaws };
}

const DATA_HEADERS: ReadonlySet<string> = new Set(["data", "data_base64", "datacontenttype"]);
/** An ordinary property, also for a name such as `__proto__`. */
const PLAIN = { enumerable: true, writable: true, configurable: true };

const printable = /^[\x20-\x7e]*$/;

/** The value of a header, without its quotes and percent-decoded once. */
function decoded(value: string): string | undefined {
  if (!printable.test(value)) return undefined;
  const unquoted =
    value.length > 1 && value.startsWith('"') && value.endsWith('"')
      ? value.slice(1, -1).replace(/\\(.)/g, "$1")
      : value;
  try {
    return decodeURIComponent(unquoted);
  } catch {
    return undefined;
  }
}

const json = /^[^;]*[/+]json[ \t]*(?:;|$)/i;
const text = /^text\//i;
const otherCharset = /;[ \t]*charset="?(?!utf-?8\b|us-ascii\b)/i;

function dataOf(contentType: string | undefined, body: Buffer, flaws: string[]): unknown {
  if (contentType === undefined || json.test(contentType)) return parseJson(body);
  if (!text.test(contentType) || otherCharset.test(contentType)) return Uint8Array.from(body);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    flaws.push("the body is not UTF-8 and was not decoded");
    return Uint8Array.from(body);
  }
}
