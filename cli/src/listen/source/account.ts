import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import { type Azure, at, type Caller, textAt } from "../../azure/index.js";
import { optionalPeer } from "../../optional-peer.js";
import { isOfType, sameId, subscriptionOf, trimmedId } from "../../resource-id.js";
import { CommandError, UsageError } from "../../terminal/index.js";
import { missingRight, Refused, refusal } from "./rights.js";

const loadStorage = () => import("@azure/storage-queue");
type Storage = Awaited<ReturnType<typeof loadStorage>>;
export type QueueServiceClient = InstanceType<Storage["QueueServiceClient"]>;

/** A storage account, and the client of its queues. */
export interface Account {
  readonly id: string;
  readonly queues: QueueServiceClient;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The ID of the storage account for the queue. @throws {UsageError} for anything else */
export function readAccountId(text: string | undefined): string {
  if (text === undefined) {
    throw new UsageError("give --storage-account <id>: the account for a temporary queue");
  }
  const id = trimmedId(text);
  const isInGroup = subscriptionOf(id) !== undefined && sameId(id.split("/")[3], "resourceGroups");
  if (isInGroup && isOfType(id, "Microsoft.Storage/storageAccounts")) return id;
  throw new UsageError(
    `--storage-account must be a resource ID /subscriptions/…/providers/Microsoft.Storage/storageAccounts/NAME, not "${text}"`,
  );
}

const STORAGE_API = "2023-05-01";

/**
 * Opens an account with the caller's credential, or with `AZURE_STORAGE_CONNECTION_STRING` if that is
 * the account's.
 *
 * @throws {CommandError} when the account cannot be read, which Event Grid demands of the caller, too
 */
export async function openAccount(
  azure: Azure,
  id: string,
  caller: Caller,
  env: Environment,
): Promise<Account> {
  const storage = await optionalPeer("@azure/storage-queue", loadStorage);
  const retryOptions = { maxTries: 3, maxRetryDelayInMs: 4000 };
  const { AZURE_STORAGE_CONNECTION_STRING: connection } = env;
  const [connected] = groupsOf(/(?:^|;)AccountName=([^;]*)/i, connection);
  if (connection && connected && id.endsWith(`/${connected}`)) {
    return { id, queues: clientOf(storage, connection, retryOptions) };
  }
  const answer = await azure.arm(id, STORAGE_API);
  if (answer.status === 404) throw new CommandError(`the storage account ${id} does not exist`);
  const url = textAt(answer.body, "properties", "primaryEndpoints", "queue");
  if (url === undefined) {
    const action = "Microsoft.Storage/storageAccounts/read";
    const right = { action, role: "Storage Account Contributor", scope: id };
    throw refusal(`the storage account ${id} cannot be read`, answer, right, caller);
  }
  return { id, queues: new storage.QueueServiceClient(url, azure.credential, { retryOptions }) };
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
  },
): Error {
  if (error instanceof CommandError || !(error instanceof Error)) return error as Error;
  const { status, code } = answerOf(error);
  const { account, caller, action } = options;
  if (code === "AuthorizationPermissionMismatch") {
    const role = "Storage Queue Data Contributor";
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
