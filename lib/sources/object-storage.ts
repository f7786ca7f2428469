import { type IResolvable, Token } from "cdktf";
import { type ObjectStorageEvents, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { withTextTokens } from "../terraform/index.js";
import { type All, booleanRule, patternRule, textRule } from "../validation/index.js";
import type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";
import { SourceDraft } from "./source-draft.js";

type ObjectStorageType = keyof ObjectStorageEvents;

/** A storage account, with what decides whether it raises events. */
export type StorageAccountSource = SourceResource<{
  readonly accountKindInput?: string | undefined;
  readonly isHnsEnabledInput?: unknown;
}>;

/** What of a storage account's events is received. */
export interface ObjectStorageOptions extends EventSourceOptions<ObjectStorageType> {
  /**
   * Container that the blobs are in.
   *
   * @default any
   */
  readonly container?: SourcePart;
  /**
   * What the blob's path within the container begins with: `app/`. Needs `container`.
   *
   * @default any path
   */
  readonly blobPrefix?: string;
  /**
   * What the blob's path ends with: `.json`.
   *
   * @default any end
   */
  readonly blobSuffix?: string;
  /**
   * Whether upper and lower case differ in the filters above, as they do in blob names.
   *
   * @default false
   */
  readonly caseSensitive?: boolean | IResolvable;
}

/**
 * The events of object storage, and of a state store that keeps its state there.
 *
 * - A general-purpose v1 account (kind `Storage`) and file storage raise none.
 * - Renamed blobs and directories come only from accounts with a hierarchical namespace. There a
 *   blob is told of when it is still empty, too: look for `data.api` being `FlushWithClose`, or
 *   `SftpCommit` over SFTP.
 * - Inventories, lifecycle rules and storage tasks are matters of the account: their subjects name
 *   no container. They are left out where a container or a path is asked for.
 * - A blob that is overwritten is "created" again. To order the events of one blob, compare
 *   `data.sequencer` as strings.
 *
 * @throws {EventSourceError} for an account that would not raise them, and filters that fit nothing
 */
export function objectStorage(
  account: StorageAccountSource,
  options: ObjectStorageOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, account, options);
  const { blobPrefix, blobSuffix, caseSensitive } = withTextTokens(options);
  const chosen = draft.chosen(options.events);
  refuseSilentAccounts(draft, account, chosen ?? []);
  draft.refuseIf(
    blobPrefix !== undefined && options.container === undefined,
    "blobPrefix needs a container: a subject names the container before the path",
  );
  draft.check(
    { field: "blobPrefix", value: blobPrefix, rule: pathRule },
    { field: "blobSuffix", value: blobSuffix, rule: textRule },
    { field: "caseSensitive", value: caseSensitive, rule: booleanRule },
  );

  const container =
    options.container === undefined ? undefined : draft.nameOf(options.container, "container");
  const raised = isFlat(account)
    ? kind.types.filter((type) => !ofHierarchies.includes(type))
    : kind.types;
  if (container === undefined && blobSuffix === undefined) return draft.finish(chosen ?? raised);
  const lost = chosen?.filter((type) => ofTheAccount.includes(type)) ?? [];
  draft.refuseIf(
    lost.length > 0,
    `${lost.join(", ")} ${lost.length === 1 ? "has" : "have"} no blob in the subject: take a source of its own, without container and path`,
  );
  return draft.finish(chosen ?? raised.filter((type) => !ofTheAccount.includes(type)), {
    ...(container !== undefined && { beginsWith: beginning(container, blobPrefix) }),
    ...(blobSuffix !== undefined && { endsWith: blobSuffix }),
    ...(caseSensitive !== undefined && { caseSensitive }),
  });
}

const kind = {
  resource: "storage account",
  resourceType: "Microsoft.Storage/storageAccounts",
  terraformType: "azurerm_storage_account",
  types: systemEventTypes.objectStorage,
  options: {
    events: true,
    container: true,
    blobPrefix: true,
    blobSuffix: true,
    caseSensitive: true,
  } satisfies All<ObjectStorageOptions>,
};

const pathRule = patternRule("must be a path that does not begin with a slash", "^(?!/)");

/** Kinds of accounts that Event Grid hears of. */
const accountKinds = ["StorageV2", "BlockBlobStorage", "BlobStorage"];

const ofTheAccount: readonly ObjectStorageType[] = [
  "Microsoft.Storage.BlobInventoryPolicyCompleted",
  "Microsoft.Storage.LifecyclePolicyCompleted",
  "Microsoft.Storage.StorageTaskQueued",
  "Microsoft.Storage.StorageTaskCompleted",
  "Microsoft.Storage.StorageTaskAssignmentQueued",
  "Microsoft.Storage.StorageTaskAssignmentCompleted",
];

const ofHierarchies: readonly ObjectStorageType[] = [
  "Microsoft.Storage.BlobRenamed",
  "Microsoft.Storage.DirectoryCreated",
  "Microsoft.Storage.DirectoryRenamed",
  "Microsoft.Storage.DirectoryDeleted",
];

/** The slash keeps `logs` from letting `logs-archive` through. */
function beginning(container: string, blobPrefix: string | undefined): string {
  const subject = `/blobServices/default/containers/${container}/`;
  return blobPrefix === undefined ? subject : `${subject}blobs/${blobPrefix}`;
}

function refuseSilentAccounts(
  draft: SourceDraft<ObjectStorageType>,
  account: StorageAccountSource,
  chosen: readonly ObjectStorageType[],
): void {
  if (typeof account === "string") return;
  const { accountKindInput = "StorageV2" } = account;
  draft.refuseIf(
    !Token.isUnresolved(accountKindInput) && !accountKinds.includes(accountKindInput),
    `an account of the kind "${accountKindInput}" raises no events: it takes ${accountKinds.join(", ")}`,
  );
  const lost = chosen.filter((type) => ofHierarchies.includes(type));
  draft.refuseIf(
    isFlat(account) && lost.length > 0,
    `${lost.join(", ")} needs an account with a hierarchical namespace (isHnsEnabled)`,
  );
}

/** Whether the construct that makes an account says so; one that looks it up cannot tell. */
function isFlat(account: StorageAccountSource): boolean {
  if (typeof account === "string") return false;
  return "isHnsEnabledInput" in account && !account.isHnsEnabledInput;
}
