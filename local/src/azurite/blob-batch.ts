import type { IncomingHttpHeaders } from "node:http";

/** The most that the service accepts in a batch. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

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
  if (boundary === undefined) return [];
  // What precedes the first boundary is no part, and what follows the last one begins with hyphens.
  const [, ...parts] = body.toString("utf8").split(`--${boundary}`);
  return parts.filter((part) => !part.startsWith("--")).flatMap((part) => partOf(part) ?? []);
}

function partOf(text: string): BatchPart | undefined {
  const [partHead = "", ...rest] = text.replace(/^\r?\n/, "").split(/\r?\n\r?\n/);
  const [start, ...lines] = rest.join("\n\n").trimStart().split(/\r?\n/);
  if (!start) return undefined;
  const end = lines.indexOf("");
  return {
    contentId: headersIn(partHead.split(/\r?\n/))["content-id"]?.toString(),
    start: start.split(" "),
    headers: headersIn(end < 0 ? lines : lines.slice(0, end)),
  };
}

function headersIn(lines: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf(":");
      return at < 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]];
    }),
  );
}
