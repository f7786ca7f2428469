import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { split, withoutEnd, withoutStart } from "../base/index.js";
import { decoded } from "../http/index.js";

/** An operation that raises an event, by the name that the event has for it. */
export type BlobOperation = "PutBlob" | "PutBlockList" | "CopyBlob" | "SetBlobTier" | "DeleteBlob";

/** A blob. */
export interface NamedBlob {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
  /** The path of the request, percent-encoded. */
  readonly path: string;
}

/** A request for an operation on a blob that raises an event. */
export interface BlobRequest {
  readonly api: BlobOperation;
  readonly address: NamedBlob;
  readonly clientRequestId: string | undefined;
}

/**
 * The operation of a request; `undefined` for one that raises no event.
 *
 * @param host of the request, with or without a port
 */
export function blobRequestOf(
  method: string | undefined,
  target: string,
  headers: IncomingHttpHeaders,
  host: string,
): BlobRequest | undefined {
  const api = operationOf(method, target, headers);
  const address = addressOf(host, target);
  if (!api || !address) return undefined;
  return { api, address, clientRequestId: headers["x-ms-client-request-id"]?.toString() };
}

/**
 * Without an event are reads, blocks that are not committed, pages, appended blocks, metadata,
 * snapshots, versions and leases.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage#available-event-types
 */
function operationOf(
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

/** Hosts that are no account's: their paths start with the account. */
const HOSTS_WITHOUT_ACCOUNT = new Set(["localhost", "host.docker.internal"]);

/** @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage#available-event-types */
const CONTAINERS_WITHOUT_EVENTS = new Set(["$logs", "$blobchangefeed"]);

/**
 * Reads paths as Azurite does: the account is the first segment, or with a host name such as
 * `orders.blob.localhost` the first label. `undefined` for a container, an account or a service.
 */
function addressOf(host: string, target: string): NamedBlob | undefined {
  const [path] = split(target, "?");
  const segments = withoutStart(decoded(path), "/").split("/");
  const name = host.replace(/:\d*$/, "").toLowerCase();
  const isAccountHost = name.includes(".") && isIP(name) === 0 && !HOSTS_WITHOUT_ACCOUNT.has(name);
  const account = String(isAccountHost ? name.split(".")[0] : segments.shift());
  const [container, ...others] = segments;
  // The service replaces backslashes in names.
  const blob = others.join("/").replaceAll("\\", "/");
  if (!container || blob === "" || CONTAINERS_WITHOUT_EVENTS.has(container)) return undefined;
  return { account: withoutEnd(account, "-secondary"), container, blob, path };
}
