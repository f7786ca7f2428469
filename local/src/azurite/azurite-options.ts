import * as v from "valibot";
import {
  fields,
  isHttpUrl,
  isOfType,
  isScope,
  LocalCloudError,
  normalizeScope,
  record,
  text,
  textWhere,
} from "../base/index.js";
import {
  DEVELOPMENT_STORAGE,
  type StorageConnection,
  storageConnectionIn,
} from "../storage/index.js";

/** One of Azurite's storage accounts. */
export interface AzuriteAccount {
  /**
   * Resource ID of the storage account that it stands for, whose subscriptions get the events.
   * @default an account of the same name in the resource group `local`
   */
  readonly resourceId?: string | undefined;
  /**
   * Account key, in Base64, which reads the properties of blobs for events.
   * @default the key that Azurite publishes for devstoreaccount1, and for the account of
   * `storageConnectionString` its key; without a key events lack content type, length and blob type
   */
  readonly key?: string | undefined;
}

/** Azurite, with the storage accounts that it has. */
export interface AzuriteOptions {
  /** Address of its blob service: `http://127.0.0.1:10000`. */
  readonly url: string;
  /** Accounts by name. Others need no entry. @default none */
  readonly accounts?: Readonly<Record<string, AzuriteAccount>> | undefined;
}

const blobServiceUrl = textWhere(
  isServiceUrl,
  "the address of Azurite's blob service, such as http://127.0.0.1:10000",
);

/** Schema of the option. */
export const azuriteOptions = v.lazy((value) =>
  typeof value === "object" && value !== null
    ? fields({
        url: blobServiceUrl,
        accounts: v.optional(
          record(
            fields({
              resourceId: v.optional(
                textWhere(
                  (id) =>
                    isScope(id) &&
                    isOfType(normalizeScope(id), "Microsoft.Storage/storageAccounts"),
                  "the resource ID of a storage account",
                ),
              ),
              key: v.optional(text),
            }),
          ),
        ),
      })
    : blobServiceUrl,
);

function isServiceUrl(value: string): boolean {
  if (!isHttpUrl(value)) return false;
  const { pathname, search, username } = new URL(value);
  return pathname === "/" && search === "" && username === "";
}

/** The options, parsed. */
export interface AzuriteSettings {
  readonly url: URL;
  /** Where dead letters are written, and messages for storage queues sent. */
  readonly connection: StorageConnection;
  /** The key of an account; `undefined` if it is not known. */
  readonly keyOf: (account: string) => string | undefined;
  /** Resource ID of the storage account that an account of Azurite stands for. */
  readonly resourceIdOf: (account: string) => string;
}

/**
 * @param connectionString the option `storageConnectionString`, which may name another account of the
 * same Azurite, or another port of its queues
 * @throws LocalCloudError `ERR_OPTIONS` if it names another storage account service
 */
export function azuriteSettings(
  option: string | AzuriteOptions,
  connectionString: string | undefined,
  subscriptionId: string,
): AzuriteSettings {
  const { url: address, accounts = {} } = typeof option === "string" ? { url: option } : option;
  const url = new URL(address);
  const connection = connectionAt(url, connectionString);
  return {
    url,
    connection,
    keyOf: (account) => {
      const key = accounts[account]?.key;
      if (key !== undefined) return key;
      if (account === connection.account) return connection.key;
      return account === DEVELOPMENT_STORAGE.account ? DEVELOPMENT_STORAGE.key : undefined;
    },
    resourceIdOf: (account) =>
      accounts[account]?.resourceId ??
      `/subscriptions/${subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/${account}`,
  };
}

/**
 * The connection string of a blob endpoint in front of Azurite. Queues and tables are Azurite's own.
 *
 * @param origin of the blob endpoint
 */
export function clientConnectionString(
  { account, key, queueEndpoint, tableEndpoint }: StorageConnection,
  origin: string,
): string {
  const { protocol } = new URL(origin);
  return (
    `DefaultEndpointsProtocol=${protocol.replace(":", "")};AccountName=${account};AccountKey=${key};` +
    `BlobEndpoint=${origin}/${account};QueueEndpoint=${queueEndpoint};TableEndpoint=${tableEndpoint};`
  );
}

function connectionAt(url: URL, connectionString: string | undefined): StorageConnection {
  const given = connectionString === undefined ? undefined : storageConnectionIn(connectionString);
  if (!given) return developmentStorageAt(url);
  if (addressOf(new URL(given.blobEndpoint)) === addressOf(url)) return given;
  throw new LocalCloudError(
    "ERR_OPTIONS",
    `The blob endpoint of storageConnectionString is ${new URL(given.blobEndpoint).origin}, but azurite is ${url.origin}. Leave storageConnectionString out, or name the same Azurite in both.`,
  );
}

/** Azurite's queues have the port after that of its blobs, and its tables the next one. */
function developmentStorageAt(url: URL): StorageConnection {
  const { account, key } = DEVELOPMENT_STORAGE;
  const endpoint = (offset: number) => {
    const other = new URL(url);
    other.port = String(portOf(url) + offset);
    return `${other.origin}/${account}`;
  };
  return {
    account,
    key,
    blobEndpoint: endpoint(0),
    queueEndpoint: endpoint(1),
    tableEndpoint: endpoint(2),
  };
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** The same for the names of this machine. */
function addressOf(url: URL): string {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return `${url.protocol}//${isLocal ? "localhost" : url.hostname}:${portOf(url)}`;
}
