import type { IncomingHttpHeaders } from "node:http";
import type { CloudEvent } from "./cloud-event.js";
import { readEvent } from "./envelope.js";
import { jsonProblem, parseJson } from "./envelope-json.js";
import { InvalidEnvelopeError } from "./envelope-problems.js";

/** Whether a request is of binary content mode: attributes in `ce-` headers, data in the body. */
export function isBinaryMode(headers: IncomingHttpHeaders): boolean {
  return headers["ce-specversion"] !== undefined;
}

/**
 * Reads a request of binary content mode.
 *
 * The body is JSON, text or bytes, as `Content-Type` says; without a body the event has no data.
 *
 * @throws InvalidEnvelopeError when headers or body are malformed
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function readBinary(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  body: Buffer,
): CloudEvent {
  const attributes: Record<string, unknown> = Object.create(null);
  const problems: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]?.toLowerCase() ?? "";
    if (!header.startsWith("ce-")) continue;
    const name = header.slice(3);
    if (name in attributes) problems.push(`header ${header} comes more than once`);
    if (name === "data" || name === "data_base64" || name === "datacontenttype") {
      problems.push(`header ${header} is no attribute of binary content mode`);
    }
    const value = decoded(rawHeaders[at + 1] ?? "");
    if (value === undefined) problems.push(`header ${header} is not percent-encoded UTF-8`);
    else attributes[name] = value;
  }
  if (problems.length > 0) throw new InvalidEnvelopeError(problems);

  const contentType = headers["content-type"];
  if (contentType !== undefined) attributes.datacontenttype = contentType;
  if (body.length > 0) attributes.data = dataOf(contentType, body);
  const event = readEvent({ ...attributes });
  if (event instanceof InvalidEnvelopeError) throw event;
  return event;
}

const printable = /^[\x20-\x7e]*$/;

/** A header's value: quotes taken off, then one round of percent-decoding. */
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

function dataOf(contentType: string | undefined, body: Buffer): unknown {
  if (contentType === undefined || json.test(contentType)) return jsonOf(body);
  if (!text.test(contentType) || otherCharset.test(contentType)) return Uint8Array.from(body);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new InvalidEnvelopeError(["the body is not UTF-8"]);
  }
}

function jsonOf(body: Buffer): unknown {
  const value = parseJson(body);
  const problem = jsonProblem(value);
  if (problem !== undefined) throw new InvalidEnvelopeError([problem]);
  return value;
}
