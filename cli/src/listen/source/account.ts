import { type Azure, type Caller, textAt } from "../../azure/index.js";
import type { CloudName } from "../../cloud.js";
import { optionalPeer } from "../../optional-peer.js";
import { CommandError, UsageError } from "../../terminal/index.js";
import { missingRight, Refused } from "./rights.js";

const loadStorage = () => import("@azure/storage-queue");
type Storage = Awaited<ReturnType<typeof loadStorage>>;
export type QueueServiceClient = InstanceType<Storage["QueueServiceClient"]>;

/** A storage account, and the client of its queues. */
export interface Account {
  /** The resource ID. */
  readonly id: string;
  readonly name: string;
  readonly queues: QueueServiceClient;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the options say about a queue. */
export interface QueueFlags {
  readonly scope: string;
  readonly queue?: string;
  readonly storageAccount?: string;
  readonly cloud: CloudName;
}

/** The suffix of storage hosts, for callers who may not read the account. */
const SUFFIXES: Readonly<Record<CloudName, string>> = {
  public: "core.windows.net",
  usgovernment: "core.usgovcloudapi.net",
  china: "core.chinacloudapi.cn",
};

const ACCOUNT_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Storage\/storageAccounts\/([^/]+)$/i;
const QUEUE_ID = /^(.+\/storageAccounts\/[^/]+)\/queueServices\/default\/queues\/([^/]+)$/i;

/**
 * The storage account of the options, and the name of the queue if they name one.
 *
 * @throws {UsageError} when they name none, or both
 * @throws {CommandError} when the account does not exist
 */
export async function openAccount(
  azure: Azure,
  flags: QueueFlags,
  env: Environment,
): Promise<{ readonly account: Account; readonly queue?: string }> {
  const { queue, storageAccount } = flags;
  if ((queue === undefined) === (storageAccount === undefined)) {
    throw new UsageError(
      "give --storage-account <id> for a temporary queue, or --queue <id> for one that exists",
    );
  }
  if (queue === undefined) {
    return {
      account: await accountOf(azure, storageAccount ?? "", "--storage-account", flags, env),
    };
  }
  if (URL.canParse(queue)) {
    const { hostname, pathname } = new URL(queue);
    const [accountName = ""] = hostname.split(".");
    const name = pathname.replace(/^\/|\/$/g, "");
    if (!/^[a-z0-9]+\.queue\./.test(hostname) || !/^[a-z0-9-]{3,63}$/.test(name)) {
      throw new UsageError("--queue must be https://ACCOUNT.queue.core.windows.net/QUEUE");
    }
    const id = await findAccount(azure, flags.scope, accountName);
    return { account: await accountOf(azure, id, "--queue", flags, env), queue: name };
  }
  const [, id = "", name = ""] = QUEUE_ID.exec(`/${queue.replace(/^\/+|\/+$/g, "")}`) ?? [];
  if (id === "") {
    throw new UsageError(
      "--queue must be the queue's URL, or its resource ID …/storageAccounts/ACCOUNT/queueServices/default/queues/QUEUE",
    );
  }
  return { account: await accountOf(azure, id, "--queue", flags, env), queue: name };
}

/** The resource ID of an account in the scope's Azure subscription. */
async function findAccount(azure: Azure, scope: string, name: string): Promise<string> {
  const [subscription = ""] = /^\/subscriptions\/[^/]+/i.exec(scope) ?? [];
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

/** @param option the option that named the account */
export async function accountOf(
  azure: Azure,
  resourceId: string,
  option: string,
  { cloud }: Pick<QueueFlags, "cloud">,
  env: Environment,
): Promise<Account> {
  const id = `/${resourceId.replace(/^\/+|\/+$/g, "")}`;
  const [, name] = ACCOUNT_ID.exec(id) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `${option} must be a resource ID /subscriptions/…/providers/Microsoft.Storage/storageAccounts/NAME, not "${resourceId}"`,
    );
  }
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
  const { statusCode, code } = error as { statusCode?: number; code?: string };
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
  return statusCode === 403 || statusCode === 404
    ? new Refused(message)
    : new CommandError(message);
}

/** The status and the code of an error of the queue service. */
export function reasonOf(error: unknown): string {
  const { statusCode, code, name } = error as { statusCode?: number; code?: string; name: string };
  return [statusCode, code].filter(Boolean).join(" ") || name;
}
