import type { IncomingMessage, ServerResponse } from "node:http";

/** An HTTP request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
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
    else chunks.length = 0;
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}
