import { Agent, request } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";

/** Parsed JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request over HTTPS and parses the JSON of its answer, whatever the status. */
export type Send = (call: Call) => Promise<Answer>;

/** The timeout of a request, in milliseconds. */
const LONGEST_REQUEST = 60_000;

/**
 * Creates a sender that trusts the certificate authorities in `ca` (PEM), as the real providers
 * trust `SSL_CERT_FILE`, or by default those of the system. Aborting the signal aborts all
 * requests.
 */
export function httpsSender(ca: string | undefined, signal?: AbortSignal): Send {
  const agent = new Agent({
    keepAlive: true,
    ...(ca !== undefined && { secureContext: trusting(ca) }),
  });
  return ({ method, url, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method,
          agent,
          timeout: LONGEST_REQUEST,
          headers: withLength(headers, body),
          ...(signal !== undefined && { signal }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: parse(Buffer.concat(chunks).toString("utf8")),
            }),
          );
        },
      );
      outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${url}: no answer`)));
      outgoing.on("error", reject);
      outgoing.end(body);
    });
}

let latest: { readonly ca: string; readonly context: SecureContext } | undefined;

/** Keeps the latest context, because parsing a bundle takes longer than the rest of a connection. */
function trusting(ca: string): SecureContext {
  if (latest?.ca !== ca) latest = { ca, context: createSecureContext({ ca }) };
  return latest.context;
}

/** The value at a path of names in a JSON document; `undefined` if there is none. */
export function at(body: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    body,
  );
}

/** The string at a path of names; `""` if there is none. */
export function stringAt(body: Json | undefined, ...path: string[]): string {
  const value = at(body, ...path);
  return typeof value === "string" ? value : "";
}

/** The list at a path of names; empty if there is none. */
export function listAt(body: Json | undefined, ...path: string[]): Json[] {
  const value = at(body, ...path);
  return Array.isArray(value) ? value : [];
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withLength(headers: Readonly<Record<string, string>>, body: string | undefined) {
  if (body === undefined) return { ...headers };
  return { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

function parse(text: string): Json {
  if (text === "") return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
