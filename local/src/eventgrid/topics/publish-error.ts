import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** Event Grid refuses a publish request. */
export class PublishError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly { readonly code: string; readonly message: string }[] = [],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** Writes the error as topics do, with the request ID in its message. */
export function sendPublishError(response: ServerResponse, error: PublishError, now: Date): void {
  const requestId = randomUUID();
  const { code, details } = error;
  const message = `${error.message} Report '${requestId}:0:${now.toISOString()} (UTC)' to our forums for assistance or raise a support ticket.`;
  const body = {
    error: { code, message, details: details.length > 0 ? details : [{ code, message }] },
  };
  const text = JSON.stringify(body);
  response.writeHead(error.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-ms-request-id": requestId,
    ...(error.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(error.retryAfterSeconds === undefined
      ? {}
      : { "retry-after": String(error.retryAfterSeconds) }),
  });
  response.end(text);
}
