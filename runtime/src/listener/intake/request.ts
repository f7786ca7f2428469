import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Size of a body as its headers announce it; `undefined` for a chunked one. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined ? 0 : undefined;
}

/** The value of a header that may come once; `undefined` when it is missing or repeated. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Whether the caller disconnected while the app's hooks ran or a key was fetched. No `close` event
 * follows any more that would release what the request takes from now on.
 */
export function isGone({ raw }: FastifyRequest): boolean {
  // Deprecated, but the only property that says so for both HTTP/1 and HTTP/2.
  return raw.aborted === true;
}

/** Calls back once, when the response has been sent or the connection is gone. */
export function whenClosed({ raw, request }: FastifyReply, closed: () => void): void {
  // A pipelined response that waits behind another one has no socket yet, and Node does not emit
  // `close` on it when the connection ends.
  const connection = raw.socket === null ? request.raw.socket : undefined;
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    connection?.off("close", close);
    closed();
  };
  // Not `once`, which costs more than everything else here.
  raw.on("close", close);
  connection?.setMaxListeners(0).on("close", close);
}

/** CloudEvents content mode of a request; `undefined` for an unsupported media type or encoding. */
export type ContentMode = "structured" | "binary";

const structured =
  /^application\/cloudevents(?:-batch)?\+json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;
const cloudEvents = /^application\/cloudevents\b/i;

/** Reads the content mode from the headers. Compressed bodies are not supported. */
export function contentMode({ headers }: IncomingMessage): ContentMode | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return undefined;
  const type = headers["content-type"];
  // Exactly what Event Grid sends.
  if (type === "application/cloudevents+json; charset=utf-8") return "structured";
  if (type !== undefined && cloudEvents.test(type)) {
    return structured.test(type) ? "structured" : undefined;
  }
  return headers["ce-specversion"] === undefined ? undefined : "binary";
}
