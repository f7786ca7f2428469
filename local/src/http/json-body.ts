import type { IncomingMessage } from "node:http";
import { isObject, ServiceError } from "../base/index.js";
import { readBody } from "./exchange.js";

/** The limit of Resource Manager for templates, the largest bodies that it accepts. */
const MAX_BYTES = 4 * 1024 * 1024;

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
    throw new ServiceError(
      413,
      "RequestContentTooLarge",
      `The request content size exceeds the maximum size of '${maxBytes}' bytes.`,
    );
  }
  if (body.length === 0) return undefined;
  const parsed = parse(body.toString("utf8"));
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
    throw new ServiceError(
      415,
      "UnsupportedMediaType",
      "Send a JSON object, with the content type application/json.",
    );
  }
  const body = (await readJson(request, maxBytes)) ?? {};
  if (isObject(body)) return body;
  throw new ServiceError(400, "InvalidRequestContent", "The body must be a JSON object.");
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
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return level.length > 0;
}

function invalid(detail = ""): ServiceError {
  const message = "The request content was invalid and could not be deserialized.";
  return new ServiceError(400, "InvalidRequestContent", `${message} ${detail}`.trim());
}
