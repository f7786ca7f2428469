import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { azureTime } from "../../base/index.js";

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

/** The error for content beyond a limit. */
export function tooLarge(message: string): PublishError {
  const details = [{ code: "PayloadTooLarge", message }];
  return new PublishError(413, "RequestEntityTooLarge", message, details);
}

/** Writes the error as topics do: with the request ID in its message, except for too large content. */
export function sendPublishError(response: ServerResponse, error: PublishError, now: Date): void {
  const requestId = randomUUID();
  const { code, details, status } = error;
  const isTooLarge = status === 413;
  const report = `Report '${requestId}:0:${azureTime(now.getTime())} (UTC)' to our forums for assistance or raise a support ticket.`;
  const message = isTooLarge ? error.message : `${error.message} ${report}`;
  const body = {
    error: { code, message, details: details.length > 0 ? details : [{ code, message }] },
  };
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...(!isTooLarge && { "content-type": "application/json; charset=utf-8" }),
    "content-length": Buffer.byteLength(text),
    "x-ms-request-id": requestId,
    ...(error.retryAfterSeconds === undefined
      ? {}
      : { "retry-after": String(error.retryAfterSeconds) }),
  });
  response.end(text);
}
