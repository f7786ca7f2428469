import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** What the SDK declares as always there, but operations over SFTP and lifecycle rules leave out. */
interface SometimesThere {
  /** Missing where no client of the REST API asked: over SFTP, for example. */
  clientRequestId?: string;
  /** Local user of the SFTP connection. */
  identity?: string;
  /** Diagnostics for the service's own use; to be ignored. */
  storageDiagnostics?: Record<string, unknown>;
}

/**
 * A blob was created or overwritten. On accounts with a hierarchical namespace it comes for the
 * empty blob, too: wait for `api` to be `FlushWithClose`, or `SftpCommit` over SFTP.
 */
export interface BlobCreated
  extends WireForm<
    Sdk["Microsoft.Storage.BlobCreated"],
    SometimesThere & { accessTier?: string }
  > {}

/** A blob was deleted. */
export interface BlobDeleted
  extends WireForm<Sdk["Microsoft.Storage.BlobDeleted"], SometimesThere> {}

/** A blob was moved to another access tier. */
export interface BlobTierChanged
  extends WireForm<Sdk["Microsoft.Storage.BlobTierChanged"], SometimesThere> {}

/** A blob is being moved or copied out of the archive. */
export interface AsyncOperationInitiated
  extends WireForm<Sdk["Microsoft.Storage.AsyncOperationInitiated"], SometimesThere> {}

/** A blob was renamed, on an account with a hierarchical namespace. */
export interface BlobRenamed
  extends WireForm<Sdk["Microsoft.Storage.BlobRenamed"], SometimesThere> {}

/** A directory was made, on an account with a hierarchical namespace. */
export interface DirectoryCreated
  extends WireForm<Sdk["Microsoft.Storage.DirectoryCreated"], SometimesThere> {}

/** A directory was renamed, on an account with a hierarchical namespace. */
export interface DirectoryRenamed
  extends WireForm<Sdk["Microsoft.Storage.DirectoryRenamed"], SometimesThere> {}

/** A directory was deleted; `recursive` is a string: `"true"` or `"false"`. */
export interface DirectoryDeleted
  extends WireForm<Sdk["Microsoft.Storage.DirectoryDeleted"], SometimesThere> {}

/** An inventory rule has run. */
export interface BlobInventoryPolicyCompleted
  extends WireForm<Sdk["Microsoft.Storage.BlobInventoryPolicyCompleted"]> {}

type SometimesRun = Partial<
  Pick<Sdk["Microsoft.Storage.LifecyclePolicyCompleted"], "policyRunSummary" | "tierToColdSummary">
>;

/** The rules of the account's lifecycle have run. */
export interface LifecyclePolicyCompleted
  extends WireForm<Sdk["Microsoft.Storage.LifecyclePolicyCompleted"], SometimesRun> {}

/** A run of a storage task was queued. */
export interface StorageTaskQueued extends WireForm<Sdk["Microsoft.Storage.StorageTaskQueued"]> {}

/** A run of a storage task has ended. */
export interface StorageTaskCompleted
  extends WireForm<Sdk["Microsoft.Storage.StorageTaskCompleted"]> {}

/** A run of a storage task's assignment was queued. */
export interface StorageTaskAssignmentQueued extends StorageTaskQueued {}

/** A run of a storage task's assignment has ended. */
export interface StorageTaskAssignmentCompleted extends StorageTaskCompleted {}

/** The events of a storage account: object storage and the state store upon it. */
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
