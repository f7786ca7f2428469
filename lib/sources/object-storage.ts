import { type IResolvable, Token } from "cdktf";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import {
  boolean,
  nonEmptyString,
  patternRule,
  showValue,
  unchecked,
} from "cloud-eventgrid-binding-runtime/internal";
import { mayBeContainer } from "../subscription/index.js";
import { defined } from "../terraform/index.js";
import {
  type EventSource,
  type EventSourceOptions,
  SourceDraft,
  type SourceEventType,
  type SourcePart,
  type SourceResource,
} from "./event-source.js";

type ObjectStorageType = SourceEventType<"objectStorage">;

/** A storage account, with the properties that decide whether it raises events. */
export type StorageAccountSource = SourceResource<{
  readonly accountKindInput?: string | undefined;
  readonly isHnsEnabledInput?: unknown;
}>;

/** Options of {@link objectStorage}. */
export interface ObjectStorageOptions extends EventSourceOptions<"objectStorage"> {
  /**
   * Container that the blobs are in.
   *
   * @default any
   */
  readonly container?: SourcePart;
  /**
   * Beginning of the blob's path within the container: `app/`. Requires `container`.
   *
   * @default any path
   */
  readonly blobPrefix?: string;
  /**
   * End of the blob's path: `.json`.
   *
   * @default any end
   */
  readonly blobSuffix?: string;
  /**
   * Whether the filters above are case-sensitive, as blob names are.
   *
   * @default false
   */
  readonly caseSensitive?: boolean | IResolvable;
}

/**
 * The events of a storage account.
 *
 * - A general-purpose v1 account (kind `Storage`) and file storage raise none.
 * - Events about renamed blobs and directories come only from accounts with a hierarchical namespace.
 *   There a blob also raises an event while it is still empty: wait for `data.api` to be
 *   `FlushWithClose`, or `SftpCommit` over SFTP.
 * - Inventories, lifecycle rules and storage tasks concern the whole account: their subjects contain no
 *   container. They are left out if `container` or a path is set.
 * - Overwriting a blob raises "created" again. To order the events of one blob, compare
 *   `data.sequencer` as strings.
 *
 * @throws {ConfigurationError} for an account that would not raise them, and filters that match nothing
 */
export function objectStorage(
  account: StorageAccountSource,
  options: ObjectStorageOptions = {},
): EventSource {
  const draft = new SourceDraft(account, {
    resource: "storage account",
    resourceType: "Microsoft.Storage/storageAccounts",
    types: systemEventTypes.objectStorage,
  });
  const checked = draft.validate(options, {
    events: unchecked,
    container: unchecked,
    blobPrefix: pathRule,
    blobSuffix: nonEmptyString,
    caseSensitive: boolean,
  });
  const { blobPrefix, blobSuffix, caseSensitive } = checked;
  const chosen = draft.chosen(checked.events);
  refuseSilentAccounts(draft, account, chosen ?? []);
  draft.refuseIf(blobPrefix !== undefined && checked.container === undefined, "blobPrefix", {
    "requires-container":
      "needs a container, because a subject names the container before the path",
  });

  const container =
    checked.container === undefined ? undefined : draft.nameOf(checked.container, "container");
  draft.refuseIf(
    container !== undefined &&
      container !== "" &&
      !Token.isUnresolved(container) &&
      !mayBeContainer(container),
    "container",
    {
      "container-name": `must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens, but is ${showValue(container)}`,
    },
  );
  const raised = isFlat(account)
    ? draft.types.filter((type) => !ofHierarchies.includes(type))
    : draft.types;
  if (container === undefined && blobSuffix === undefined) return draft.finish(chosen ?? raised);
  const lost = chosen?.filter((type) => ofTheAccount.includes(type)) ?? [];
  draft.refuseIf(lost.length > 0, "events", {
    "no-blob":
      `must not contain ${lost.join(", ")} when container or a path is set, because the subject names ` +
      "no blob: use a separate source",
  });
  return draft.finish(chosen ?? raised.filter((type) => !ofTheAccount.includes(type)), {
    ...defined({ endsWith: blobSuffix, caseSensitive }),
    ...(container !== undefined && { beginsWith: beginning(container, blobPrefix) }),
  });
}

const pathRule = patternRule({
  requirement: { "relative-path": "must be a path that does not begin with a slash" },
  pattern: "^([^/]|$)",
});

/** The kinds of accounts that raise events. */
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

/** The slash at the end keeps `logs` from matching `logs-archive`. */
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
    "resource",
    {
      "silent-resource": `must be of the kind ${accountKinds.join(", ")}, because an account of the kind "${accountKindInput}" raises no events`,
    },
  );
  const lost = chosen.filter((type) => ofHierarchies.includes(type));
  draft.refuseIf(isFlat(account) && lost.length > 0, "events", {
    "hierarchical-namespace": `must not contain ${lost.join(", ")} unless the account has a hierarchical namespace (isHnsEnabled)`,
  });
}

/** Only a construct that creates the account shows this, not one that looks it up. */
function isFlat(account: StorageAccountSource): boolean {
  if (typeof account === "string") return false;
  return "isHnsEnabledInput" in account && !account.isHnsEnabledInput;
}
