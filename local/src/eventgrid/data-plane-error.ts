import type { ServerResponse } from "node:http";
import { ServiceError } from "../base/index.js";

/** Event Grid refuses a request to publish or to receive events. */
export class DataPlaneError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: {
      /** Of the body of topics and domains. @default code and message again */
      readonly details?: readonly { readonly code: string; readonly message: string }[];
      /** Seconds in the header `Retry-After`. @default no such header */
      readonly retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(message);
  }
}

/** A refusal in the words of namespaces. */
export function badRequest(message: string): DataPlaneError {
  return new DataPlaneError(400, "BadRequest", message);
}

/** A refusal in the words of namespaces. */
export function notFound(kind: string, name: string): DataPlaneError {
  return new DataPlaneError(404, "NotFound", `${kind} '${name}' is not found`);
}

/** Events that cannot be stored are refused like any others. */
export function refusalOf(error: unknown): DataPlaneError {
  if (error instanceof DataPlaneError) return error;
  if (!(error instanceof ServiceError)) throw error;
  return new DataPlaneError(error.status, error.serviceCode, error.message);
}

export function sendRefusal(
  response: ServerResponse,
  { status, more: { retryAfterSeconds } }: DataPlaneError,
  headers: Readonly<Record<string, string>>,
  error: object,
): void {
  const text = JSON.stringify({ error });
  response.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(text),
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(text);
}

/** @param refuse makes the error for a body that is not UTF-8 */
export function utf8Of(body: Buffer, refuse: (problem: string) => DataPlaneError): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw refuse("The body is not valid UTF-8");
  }
}

/** @param refuse makes the error for a text that is not JSON */
export function parsedJson(text: string, refuse: (problem: string) => DataPlaneError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON");
  }
}
