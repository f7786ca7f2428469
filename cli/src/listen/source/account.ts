import { type Azure, at, type Caller, textAt } from "../../azure/index.js";
import type { CloudName } from "../../cloud.js";
import { optionalPeer } from "../../optional-peer.js";
import { subscriptionOf, trimmedId } from "../../resource-id.js";
import { CommandError, UsageError } from "../../terminal/index.js";
import { missingRight, Refused } from "./rights.js";

const loadStorage = () => import("@azure/storage-queue");
type Storage = Awaited<ReturnType<typeof loadStorage>>;
export type QueueServiceClient = InstanceType<Storage["QueueServiceClient"]>;

/** A storage account, and the client of its queues. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly queues: QueueServiceClient;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface StorageFlags {
  readonly queue?: string;
  readonly storageAccount?: string;
  readonly cloud: CloudName;
}

export interface AccountReference {
  /** The resource ID; undefined if only the name is known. */
  readonly id?: string;
  readonly name: string;
  /** The name of the queue to use; undefined if one is to be created. */
  readonly queue?: string;
}

/** The suffix of storage hosts, for callers who may not read the account. */
const SUFFIXES: Readonly<Record<CloudName, string>> = {
  public: "core.windows.net",
  usgovernment: "core.usgovcloudapi.net",
  china: "core.chinacloudapi.cn",
};

const ACCOUNT_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Storage\/storageAccounts\/([^/]+)$/i;
const QUEUE_URL = /^https:\/\/([a-z0-9]+)\.queue\.[^/?]+\/([a-z0-9-]{3,63})\/?$/;
const QUEUE_ID = /^(.+\/storageAccounts\/[^/]+)\/queueServices\/default\/queues\/([^/]+)$/i;

/** The storage account that the options name. @throws {UsageError} when they name none, or both */
export function readAccount({ queue, storageAccount }: StorageFlags): AccountReference {
  if ((queue === undefined) === (storageAccount === undefined)) {
    throw new UsageError(
      "give --storage-account <id> for a temporary queue, or --queue <id> for one that exists",
    );
  }
  if (queue === undefined) {
    const id = trimmedId(storageAccount ?? "");
    const [, name] = ACCOUNT_ID.exec(id) ?? [];
    if (name !== undefined) return { id, name };
    throw new UsageError(
      `--storage-account must be a resource ID /subscriptions/…/providers/Microsoft.Storage/storageAccounts/NAME, not "${storageAccount}"`,
    );
  }
  const [, name, fromUrl] = QUEUE_URL.exec(queue) ?? [];
  if (name !== undefined && fromUrl !== undefined) return { name, queue: fromUrl };
  const [, id = "", fromId] = QUEUE_ID.exec(trimmedId(queue)) ?? [];
  const [, accountName] = ACCOUNT_ID.exec(id) ?? [];
  if (accountName !== undefined && fromId !== undefined) {
    return { id, name: accountName, queue: fromId };
  }
  throw new UsageError(
    "--queue must be https://ACCOUNT.queue.core.windows.net/QUEUE, or a resource ID /subscriptions/…/storageAccounts/ACCOUNT/queueServices/default/queues/QUEUE",
  );
}

/** The resource ID of an account in the scope's Azure subscription. */
async function findAccount(azure: Azure, scope: string, name: string): Promise<string> {
  const subscription = subscriptionOf(scope);
  const path = `${subscription}/providers/Microsoft.Storage/storageAccounts`;
  const { items } = await azure.list(azure.arm(path, STORAGE_API));
  const ids = items.map((item) => textAt(item, "id") ?? "");
  const id = ids.find((other) => other.toLowerCase().endsWith(`/storageaccounts/${name}`));
  if (id !== undefined) return id;
  throw new CommandError(
    `the storage account ${name} is not among those of ${subscription} that you may read: give the queue's resource ID`,
  );
}

const STORAGE_API = "2023-05-01";

/**
 * Opens an account with the caller's credential, or with `AZURE_STORAGE_CONNECTION_STRING` if that is
 * the account's.
 *
 * @throws {CommandError} when the account does not exist
 */
export async function openAccount(
  azure: Azure,
  { name, ...reference }: AccountReference,
  { scope, cloud }: { readonly scope: string; readonly cloud: CloudName },
  env: Environment,
): Promise<Account> {
  const id = reference.id ?? (await findAccount(azure, scope, name));
  const storage = await optionalPeer("@azure/storage-queue", loadStorage);
  const retryOptions = { maxTries: 3, maxRetryDelayInMs: 4000 };
  const connection = env.AZURE_STORAGE_CONNECTION_STRING ?? "";
  const [, connected] = /(?:^|;)AccountName=([^;]+)/i.exec(connection) ?? [];
  if (connected === name) {
    return { id, name, queues: clientOf(storage, connection, retryOptions) };
  }
  const { status, body } = await azure.arm(id, STORAGE_API);
  if (status === 404) throw new CommandError(`the storage account ${id} does not exist`);
  const url =
    textAt(body, "properties", "primaryEndpoints", "queue") ??
    `https://${name}.queue.${SUFFIXES[cloud]}/`;
  const queues = new storage.QueueServiceClient(url, azure.credential, { retryOptions });
  return { id, name, queues };
}

/** The errors of the SDK for a wrong connection string do not say what is wrong. */
function clientOf(storage: Storage, connection: string, retryOptions: object): QueueServiceClient {
  try {
    return storage.QueueServiceClient.fromConnectionString(connection, { retryOptions });
  } catch {
    throw new UsageError("AZURE_STORAGE_CONNECTION_STRING is not valid");
  }
}

/** Azure's reason for a failure, without the request that may contain a signature. */
export function queueError(
  error: unknown,
  what: string,
  options: {
    readonly account: Account;
    readonly caller: Caller;
    readonly action: string;
    readonly isTemporary: boolean;
  },
): Error {
  if (error instanceof CommandError || !(error instanceof Error)) return error as Error;
  const { status, code } = answerOf(error);
  const { account, caller, action, isTemporary } = options;
  if (code === "AuthorizationPermissionMismatch") {
    const role = isTemporary
      ? "Storage Queue Data Contributor"
      : "Storage Queue Data Message Processor";
    const right = `Microsoft.Storage/storageAccounts/queueServices/queues/${action}`;
    return new Refused(
      `${what}: ${missingRight({ action: right, role, scope: account.id }, caller)}`,
    );
  }
  const hint =
    code === "AuthorizationFailure" ? ": the firewall of the storage account excludes you" : "";
  const message = `${what}: ${reasonOf(error)}${hint}`;
  return status === 403 || status === 404 ? new Refused(message) : new CommandError(message);
}

/** The status and the code of an error of the queue service, or its name. */
export function reasonOf(error: Error): string {
  const { status, code } = answerOf(error);
  return [status, code].filter(Boolean).join(" ") || error.name;
}

/** The SDK takes the code from the body, or else from a header. */
function answerOf(error: Error): { readonly status: unknown; readonly code: string | undefined } {
  const code = textAt(error, "code") ?? textAt(error, "details", "errorCode");
  return { status: at(error, "statusCode"), code };
}
