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

type Operation<Data> = WireForm<Data, SometimesThere>;

/** The events of a storage account: object storage and the state store upon it. */
export interface ObjectStorageEvents {
  /**
   * A blob was created or overwritten. On accounts with a hierarchical namespace it comes for the
   * empty blob, too: wait for `data.api` to be `FlushWithClose`, or `SftpCommit` over SFTP.
   */
  "Microsoft.Storage.BlobCreated": WireForm<
    Sdk["Microsoft.Storage.BlobCreated"],
    SometimesThere & { accessTier?: string }
  >;
  "Microsoft.Storage.BlobDeleted": Operation<Sdk["Microsoft.Storage.BlobDeleted"]>;
  "Microsoft.Storage.BlobTierChanged": Operation<Sdk["Microsoft.Storage.BlobTierChanged"]>;
  "Microsoft.Storage.AsyncOperationInitiated": Operation<
    Sdk["Microsoft.Storage.AsyncOperationInitiated"]
  >;
  "Microsoft.Storage.BlobRenamed": Operation<Sdk["Microsoft.Storage.BlobRenamed"]>;
  "Microsoft.Storage.DirectoryCreated": Operation<Sdk["Microsoft.Storage.DirectoryCreated"]>;
  "Microsoft.Storage.DirectoryRenamed": Operation<Sdk["Microsoft.Storage.DirectoryRenamed"]>;
  /** A directory was deleted; `data.recursive` is a string: `"true"` or `"false"`. */
  "Microsoft.Storage.DirectoryDeleted": Operation<Sdk["Microsoft.Storage.DirectoryDeleted"]>;
  "Microsoft.Storage.BlobInventoryPolicyCompleted": Sdk["Microsoft.Storage.BlobInventoryPolicyCompleted"];
  "Microsoft.Storage.LifecyclePolicyCompleted": WireForm<
    Sdk["Microsoft.Storage.LifecyclePolicyCompleted"],
    Partial<
      Pick<
        Sdk["Microsoft.Storage.LifecyclePolicyCompleted"],
        "policyRunSummary" | "tierToColdSummary"
      >
    >
  >;
  "Microsoft.Storage.StorageTaskQueued": Sdk["Microsoft.Storage.StorageTaskQueued"];
  "Microsoft.Storage.StorageTaskCompleted": Sdk["Microsoft.Storage.StorageTaskCompleted"];
  "Microsoft.Storage.StorageTaskAssignmentQueued": Sdk["Microsoft.Storage.StorageTaskQueued"];
  "Microsoft.Storage.StorageTaskAssignmentCompleted": Sdk["Microsoft.Storage.StorageTaskCompleted"];
}
