import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** Fields that the SDK declares as required, but that some operations leave out. */
interface OptionalFields {
  /** Missing for operations without a client of the REST API, for example over SFTP. */
  clientRequestId?: string;
  /** Local user of the SFTP connection. */
  identity?: string;
  /** Diagnostics for the service's own use; ignore them. */
  storageDiagnostics?: Record<string, unknown>;
}

/**
 * A blob was created or overwritten. On accounts with a hierarchical namespace the event is also
 * raised for the empty blob: wait for `api` to be `FlushWithClose`, or `SftpCommit` over SFTP.
 */
export interface BlobCreated
  extends WireForm<
    Sdk["Microsoft.Storage.BlobCreated"],
    OptionalFields & { accessTier?: string }
  > {}

/** A blob was deleted. */
export interface BlobDeleted
  extends WireForm<Sdk["Microsoft.Storage.BlobDeleted"], OptionalFields> {}

/** A blob was moved to another access tier. */
export interface BlobTierChanged
  extends WireForm<
    Sdk["Microsoft.Storage.BlobTierChanged"],
    OptionalFields & { accessTier?: string; previousTier?: string }
  > {}

/** A blob is being moved or copied out of the archive tier. */
export interface AsyncOperationInitiated
  extends WireForm<Sdk["Microsoft.Storage.AsyncOperationInitiated"], OptionalFields> {}

/** A blob was renamed, on an account with a hierarchical namespace. */
export interface BlobRenamed
  extends WireForm<Sdk["Microsoft.Storage.BlobRenamed"], OptionalFields> {}

/** A directory was created, on an account with a hierarchical namespace. */
export interface DirectoryCreated
  extends WireForm<Sdk["Microsoft.Storage.DirectoryCreated"], OptionalFields & { eTag?: string }> {}

/** A directory was renamed, on an account with a hierarchical namespace. */
export interface DirectoryRenamed
  extends WireForm<Sdk["Microsoft.Storage.DirectoryRenamed"], OptionalFields> {}

/** A directory was deleted; `recursive` is a string: `"true"` or `"false"`. */
export interface DirectoryDeleted
  extends WireForm<Sdk["Microsoft.Storage.DirectoryDeleted"], OptionalFields> {}

/** The run of an inventory rule has ended. */
export interface BlobInventoryPolicyCompleted
  extends WireForm<Sdk["Microsoft.Storage.BlobInventoryPolicyCompleted"]> {}

/** The result of one action of a lifecycle policy. */
export interface LifecycleActionSummary {
  totalObjectsCount: number;
  successCount: number;
  /**
   * The objects for which the action failed: their names, or objects that describe them. An empty
   * string if there are none.
   */
  errorList: string | (string | Record<string, unknown>)[];
}

/** A run of the account's lifecycle policy has ended. Each action of the policy has its summary. */
export interface LifecyclePolicyCompleted {
  /** In the form `2022/05/24 22:57:29.3260160`. */
  scheduleTime: string;
  policyRunSummary?: Sdk["Microsoft.Storage.LifecyclePolicyCompleted"]["policyRunSummary"];
  deleteSummary?: LifecycleActionSummary;
  tierToCoolSummary?: LifecycleActionSummary;
  tierToColdSummary?: LifecycleActionSummary;
  tierToArchiveSummary?: LifecycleActionSummary;
}

/** A run of a storage task was queued. */
export interface StorageTaskQueued extends WireForm<Sdk["Microsoft.Storage.StorageTaskQueued"]> {}

/** A run of a storage task has ended. */
export interface StorageTaskCompleted
  extends WireForm<Sdk["Microsoft.Storage.StorageTaskCompleted"]> {}

/** A run of a storage task's assignment was queued. */
export interface StorageTaskAssignmentQueued extends StorageTaskQueued {}

/** A run of a storage task's assignment has ended. */
export interface StorageTaskAssignmentCompleted extends StorageTaskCompleted {}

/** The events of a storage account, for object storage and the state store that uses it. */
export interface ObjectStorageEvents {
  "Microsoft.Storage.BlobCreated": BlobCreated;
  "Microsoft.Storage.BlobDeleted": BlobDeleted;
  "Microsoft.Storage.BlobTierChanged": BlobTierChanged;
  "Microsoft.Storage.AsyncOperationInitiated": AsyncOperationInitiated;
  "Microsoft.Storage.BlobRenamed": BlobRenamed;
  "Microsoft.Storage.DirectoryCreated": DirectoryCreated;
  "Microsoft.Storage.DirectoryRenamed": DirectoryRenamed;
  "Microsoft.Storage.DirectoryDeleted": DirectoryDeleted;
  "Microsoft.Storage.BlobInventoryPolicyCompleted": BlobInventoryPolicyCompleted;
  "Microsoft.Storage.LifecyclePolicyCompleted": LifecyclePolicyCompleted;
  "Microsoft.Storage.StorageTaskQueued": StorageTaskQueued;
  "Microsoft.Storage.StorageTaskCompleted": StorageTaskCompleted;
  "Microsoft.Storage.StorageTaskAssignmentQueued": StorageTaskAssignmentQueued;
  "Microsoft.Storage.StorageTaskAssignmentCompleted": StorageTaskAssignmentCompleted;
}
