import { createHmac } from "node:crypto";
import type { StorageConnection } from "./connection-string.js";

export interface StorageRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The `Authorization` header of a request to the blob or the queue service, signed with the account's
 * key. `headers` need `x-ms-date` and `x-ms-version`, in lower case.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function sharedKeyAuthorization(
  { account, key }: Pick<StorageConnection, "account" | "key">,
  { method, url, headers, body }: StorageRequest,
): string {
  const length = Buffer.byteLength(body);
  const lines = [
    method,
    "", // Content-Encoding
    "", // Content-Language
    length === 0 ? "" : String(length),
    "", // Content-MD5
    headers["content-type"] ?? "",
    "", // Date, which x-ms-date replaces
    ...["", "", "", ""], // conditions
    "", // Range
    ...Object.keys(headers)
      .filter((name) => name.startsWith("x-ms-"))
      .sort()
      .map((name) => `${name}:${headers[name]}`),
    `/${account}${url.pathname}`,
    ...[...url.searchParams].sort().map(([name, value]) => `${name.toLowerCase()}:${value}`),
  ];
  const signature = createHmac("sha256", Buffer.from(key, "base64"))
    .update(lines.join("\n"))
    .digest("base64");
  return `SharedKey ${account}:${signature}`;
}
