import type { IncomingMessage, ServerResponse } from "node:http";

/** One HTTP request and the answer to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly url: URL;
  /** What the client calls this server, for links that it can follow: `http://127.0.0.1:8080`. */
  readonly origin: string;
}

/** Answers what it knows; `false` leaves the exchange to the next one. */
export type Route = (exchange: Exchange) => boolean | Promise<boolean>;

export function sendJson(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): void {
  sendJsonText(exchange, status, JSON.stringify(body), headers);
}

/** As `sendJson`, of what is JSON already. */
export function sendJsonText(
  { response }: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function sendEmpty(
  { response }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  // A 204 has no length, not even none (RFC 9110, section 8.6).
  const length = status === 204 ? {} : { "content-length": 0 };
  response.writeHead(status, { ...length, ...headers });
  response.end();
}
