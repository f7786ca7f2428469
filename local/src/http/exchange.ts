import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, MIB, type ServiceError, sameText, serviceError, split } from "../base/index.js";

/** The methods that anything here serves. No route takes a request with another one. */
export type Method = "GET" | "HEAD" | "PUT" | "PATCH" | "POST" | "DELETE" | "OPTIONS";

/** An HTTP request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: Method;
  readonly url: URL;
  /** The server's origin as the client knows it, for links in responses: `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Called before a response leaves. */
  readonly onRespond?: (() => void) | undefined;
}

/** Handles a request, or returns `false` to leave it to the next route. */
export type Route = (exchange: Exchange) => boolean | Promise<boolean>;

export function sendJson(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): void {
  sendJsonText(exchange, status, JSON.stringify(body), headers);
}

/** Like `sendJson`, for text that is already JSON. */
export function sendJsonText(
  { response, onRespond }: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  onRespond?.();
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function sendEmpty(
  { response, onRespond }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  onRespond?.();
  // A 204 must not have a Content-Length (RFC 9110, section 8.6).
  const length = status === 204 ? {} : { "content-length": 0 };
  response.writeHead(status, { ...length, ...headers });
  response.end();
}

/**
 * Reads the whole body; `undefined` if it is longer than `limit` bytes. The rest of a longer body is
 * discarded, so that the client can read the response.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

/** The limit of Resource Manager for templates, the largest bodies that it accepts. */
const MAX_BYTES = 4 * MIB;

/** Far more than any real request has. A deeper value could not be written as JSON again. */
const MAX_DEPTH = 100;

/**
 * Reads a JSON body; `undefined` if it is empty.
 *
 * @throws ServiceError 413 if it is too large, 400 if it is not JSON or nested too deeply
 */
export async function readJson(request: IncomingMessage, maxBytes = MAX_BYTES): Promise<unknown> {
  const body = await readBody(request, maxBytes);
  if (body === undefined) {
    throw serviceError.RequestContentTooLarge(
      `The request content size exceeds the maximum size of '${maxBytes}' bytes.`,
    );
  }
  if (body.length === 0) return undefined;
  const parsed = parse(body.toString());
  if (isDeeper(parsed, MAX_DEPTH)) throw invalid(`It is nested deeper than ${MAX_DEPTH} levels.`);
  return parsed;
}

/**
 * Reads a JSON object. The content type of JSON is required, which web pages cannot send to another
 * origin without a preflight request.
 *
 * @throws ServiceError 415 for another content type, and as `readJson`
 */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes = MAX_BYTES,
): Promise<Readonly<Record<string, unknown>>> {
  const contentType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (contentType !== "application/json") {
    throw serviceError.UnsupportedMediaType(
      "Send a JSON object, with the content type application/json.",
    );
  }
  const body = (await readJson(request, maxBytes)) ?? {};
  if (isObject(body)) return body;
  throw serviceError.InvalidRequestContent("The body must be a JSON object.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseUnquoted(text);
  }
}

/** az sends templates with an unquoted key, `{"properties": {template: …`, which Azure accepts. */
function parseUnquoted(text: string): unknown {
  try {
    return JSON.parse(text.replace(/([{,]\s*)template(\s*:)/, '$1"template"$2'));
  } catch {
    throw invalid();
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function invalid(detail = ""): ServiceError {
  const message = "The request content was invalid and could not be deserialized.";
  return serviceError.InvalidRequestContent(`${message} ${detail}`.trim());
}

/** A part of a URL without percent-encoding; unchanged if the encoding is invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Compares credentials in a time that does not depend on where they differ. */
export function isEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** What a header has after its scheme of authentication; undefined with another scheme or none. */
export function credentialsIn(
  header: string | undefined,
  scheme: "basic" | "bearer",
): string | undefined {
  const [given, ...credentials] = split(String(header), " ");
  return sameText(given, scheme) ? credentials.join(" ") || undefined : undefined;
}

/** User and password of a header with basic authentication; nothing of another header. */
export function basicCredentials(header: string | undefined): string[] {
  const encoded = credentialsIn(header, "basic");
  if (encoded === undefined) return [];
  const [user, ...password] = Buffer.from(encoded, "base64").toString().split(":");
  return [String(user), password.join(":")];
}
