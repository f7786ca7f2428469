/** The blob, container or account that a request names. */
export interface BlobAddress {
  readonly account: string;
  readonly container: string | undefined;
  readonly blob: string | undefined;
  /** The path of the request, percent-encoded. */
  readonly path: string;
}

/** A blob. */
export interface NamedBlob extends BlobAddress {
  readonly container: string;
  readonly blob: string;
}

/** Hosts that are no account's: their paths start with the account. */
const HOSTS_WITHOUT_ACCOUNT = new Set(["localhost", "host.docker.internal"]);

const SECONDARY = /-secondary$/;

/**
 * Reads paths as Azurite does: the account is the first segment, or with a host name such as
 * `orders.blob.localhost` the first label.
 *
 * @param host of the request, with or without a port
 * @returns undefined for a path that is not percent-encoded correctly
 */
export function blobAddressOf(host: string, target: string): BlobAddress | undefined {
  const [path = "/"] = target.split("?");
  const segments = decoded(path)?.replace(/^\//, "").split("/");
  if (!segments) return undefined;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const isAccountHost =
    name.includes(".") && !/^[\d.]+$/.test(name) && !HOSTS_WITHOUT_ACCOUNT.has(name);
  const account = (isAccountHost ? name.split(".")[0] : segments.shift()) ?? "";
  const [container, ...blob] = segments;
  return {
    account: account.replace(SECONDARY, ""),
    container: container || undefined,
    // The service replaces backslashes in names.
    blob: blob.join("/").replaceAll("\\", "/") || undefined,
    path,
  };
}

/** Whether the address names a blob whose operations raise events. */
export function hasEvents(address: BlobAddress): address is NamedBlob {
  const { container, blob } = address;
  return blob !== undefined && container !== undefined && !UNINTEGRATED.has(container);
}

/** @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage#available-event-types */
const UNINTEGRATED = new Set(["$logs", "$blobchangefeed"]);

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
