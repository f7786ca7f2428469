import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { DataPlaneError, sendRefusal } from "../../data-plane-error.js";

export function badRequest(message: string): DataPlaneError {
  return new DataPlaneError(400, "BadRequest", message);
}

export function notFound(kind: string, name: string): DataPlaneError {
  return new DataPlaneError(404, "NotFound", `${kind} '${name}' is not found`);
}

/** Writes the error as the service was recorded to: its specification promises other names. */
export function sendDataPlaneError(
  response: ServerResponse,
  error: DataPlaneError,
  now: Date,
): void {
  const { status, code, message } = error;
  const timestamp_utc = now.toISOString().replace("Z", "000000+00:00");
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "broker-errorcode": code,
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  const tracking_id = randomUUID().toUpperCase();
  sendRefusal(response, error, headers, { code, message, timestamp_utc, tracking_id });
}
