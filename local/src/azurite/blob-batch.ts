import type { IncomingHttpHeaders } from "node:http";
import { MIB } from "../base/index.js";

/** The most that the service accepts in a batch. */
export const MAX_BATCH_BYTES = 4 * MIB;

/** One request of a batch, or the response to it. */
export interface BatchPart {
  /** Relates a response to its request. */
  readonly contentId: string | undefined;
  /** Method and target, or the version and the status. */
  readonly start: readonly string[];
  readonly headers: IncomingHttpHeaders;
}

/**
 * Reads the parts of a batch of requests, or of the responses to it. They have no bodies that matter.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/blob-batch
 */
export function batchParts(contentType: string | undefined, body: Buffer): BatchPart[] {
  const boundary = contentType?.match(/boundary="?([^";]+)/i)?.[1];
  // What precedes the first boundary is no part, and what follows the last one begins with hyphens.
  const [, ...parts] = body.toString().split(`--${boundary}`);
  return parts.filter((part) => !part.startsWith("--")).flatMap(partIn);
}

/** The headers of a part end with an empty line, and those of its request or response do. */
function partIn(text: string): BatchPart[] {
  const [own, message] = text.split(/(?:\r?\n){2,}/);
  if (!own || !message) return [];
  const contentId = headersIn(own)["content-id"]?.toString();
  return [{ contentId, start: message.split(/\s/, 3), headers: headersIn(message) }];
}

function headersIn(text: string): IncomingHttpHeaders {
  const headers = text.matchAll(/^([\w-]+) *:(.*)$/gm);
  return Object.fromEntries(
    [...headers].map(([, name, value]) => [name?.toLowerCase(), value?.trim()]),
  );
}
