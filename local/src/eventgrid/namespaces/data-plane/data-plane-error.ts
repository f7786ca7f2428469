import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ServiceError } from "../../../base/index.js";

/** The data plane of a namespace refuses a request. */
export class DataPlaneError extends Error {
  constructor(
    readonly status: number,
    /** The code in the header `broker-errorcode` and in the body. */
    readonly code: string,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function badRequest(message: string): DataPlaneError {
  return new DataPlaneError(400, "BadRequest", message);
}

export function notFound(kind: string, name: string): DataPlaneError {
  return new DataPlaneError(404, "NotFound", `${kind} '${name}' is not found`);
}

/** Events that cannot be stored are refused like any others. */
export function refusalOf(error: unknown): DataPlaneError {
  if (error instanceof DataPlaneError) return error;
  if (!(error instanceof ServiceError)) throw error;
  return new DataPlaneError(error.status, error.serviceCode, error.message);
}

/** Writes the error as the service was recorded to: its specification promises other names. */
export function sendDataPlaneError(
  response: ServerResponse,
  { status, code, message, retryAfterSeconds }: DataPlaneError,
  now: Date,
): void {
  const timestamp_utc = now.toISOString().replace("Z", "000000+00:00");
  const error = { code, message, timestamp_utc, tracking_id: randomUUID().toUpperCase() };
  const text = JSON.stringify({ error });
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "broker-errorcode": code,
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(text);
}
