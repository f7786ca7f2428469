import type { IncomingHttpHeaders } from "node:http";

/** An operation that raises an event, by the name that the event has for it. */
export type BlobOperation = "PutBlob" | "PutBlockList" | "CopyBlob" | "SetBlobTier" | "DeleteBlob";

/**
 * The operation of a request to a blob; `undefined` for one that raises no event: reads, blocks that
 * are not committed, pages, appended blocks, metadata, snapshots, versions and leases.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage#available-event-types
 */
export function blobOperationOf(
  method: string | undefined,
  target: string,
  headers: IncomingHttpHeaders,
): BlobOperation | undefined {
  const query = new URLSearchParams(target.split("?")[1]);
  if (query.has("snapshot") || query.has("versionid")) return undefined;
  const component = query.get("comp")?.toLowerCase();
  if (method === "DELETE") {
    const isBlob = component === undefined && headers["x-ms-delete-snapshots"] !== "only";
    return isBlob ? "DeleteBlob" : undefined;
  }
  if (method !== "PUT") return undefined;
  if (component === "blocklist") return "PutBlockList";
  if (component === "tier") return "SetBlobTier";
  if (component !== undefined) return undefined;
  if (headers["x-ms-blob-type"] !== undefined) return "PutBlob";
  return headers["x-ms-copy-source"] === undefined ? undefined : "CopyBlob";
}
