import * as v from "valibot";
import { text } from "../base/index.js";

/** The address and key of a storage account. */
export interface StorageConnection {
  readonly account: string;
  /** In Base64. */
  readonly key: string;
  readonly blobEndpoint: string;
  readonly queueEndpoint: string;
  readonly tableEndpoint: string;
}

/** Azurite's only account unless it is started with others, with the key that its README publishes. */
export const DEVELOPMENT_STORAGE: StorageConnection = {
  account: "devstoreaccount1",
  key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  blobEndpoint: "http://127.0.0.1:10000/devstoreaccount1",
  queueEndpoint: "http://127.0.0.1:10001/devstoreaccount1",
  tableEndpoint: "http://127.0.0.1:10002/devstoreaccount1",
};

/**
 * Reads a connection string with an account key, or `UseDevelopmentStorage=true`.
 *
 * @returns undefined for any other text
 * @see https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
 */
export function storageConnectionIn(text: string): StorageConnection | undefined {
  const written = text.matchAll(/([^=;\s]*)=([^;]*)/g);
  const settings = new Map([...written].map(([, name, value]) => [name?.toLowerCase(), value]));
  if (settings.get("usedevelopmentstorage") === "true") return DEVELOPMENT_STORAGE;
  const account = settings.get("accountname");
  const key = settings.get("accountkey");
  if (!account || !key) return undefined;
  const protocol = settings.get("defaultendpointsprotocol") ?? "https";
  const suffix = settings.get("endpointsuffix") ?? "core.windows.net";
  const endpoint = (service: string) => {
    const given = settings.get(`${service}endpoint`)?.replace(/\/+$/, "");
    return given || `${protocol}://${account}.${service}.${suffix}`;
  };
  const connection = {
    account,
    key,
    blobEndpoint: endpoint("blob"),
    queueEndpoint: endpoint("queue"),
    tableEndpoint: endpoint("table"),
  };
  const isUsable = [connection.blobEndpoint, connection.queueEndpoint].every((each) =>
    URL.canParse(each),
  );
  return isUsable ? connection : undefined;
}

/** Schema of the option. Its messages do not show the value, which contains a key. */
export const connectionString = v.pipe(
  text,
  v.check(
    (value) => storageConnectionIn(value) !== undefined,
    "must be a connection string with AccountName and AccountKey, or UseDevelopmentStorage=true",
  ),
);
