import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { ChangedEvents } from "./wire-form.js";

/** Fields that the SDK declares as required, but that some operations leave out. */
interface OptionalFields {
  /** Missing for operations without a client of the REST API, for example over SFTP. */
  clientRequestId?: string;
  /** Local user of the SFTP connection. */
  identity?: string;
  /** Diagnostics for the service's own use; ignore them. */
  storageDiagnostics?: Record<string, unknown>;
}

/** The result of one action of a lifecycle policy. */
interface LifecycleActionSummary {
  totalObjectsCount: number;
  successCount: number;
  /**
   * The objects for which the action failed: their names, or objects that describe them. An empty
   * string if there are none.
   */
  errorList: string | (string | Record<string, unknown>)[];
}

interface LifecyclePolicyCompleted {
  /** In the form `2022/05/24 22:57:29.3260160`. */
  scheduleTime: string;
  policyRunSummary?: Sdk["Microsoft.Storage.LifecyclePolicyCompleted"]["policyRunSummary"];
  deleteSummary?: LifecycleActionSummary;
  tierToCoolSummary?: LifecycleActionSummary;
  tierToColdSummary?: LifecycleActionSummary;
  tierToArchiveSummary?: LifecycleActionSummary;
}

/** The fields in which events of a storage account differ from the SDK's types. */
interface StorageChanges {
  /**
   * A blob was created or overwritten. On accounts with a hierarchical namespace the event is also
   * raised for the empty blob: wait for `api` to be `FlushWithClose`, or `SftpCommit` over SFTP.
   */
  "Microsoft.Storage.BlobCreated": OptionalFields & { accessTier?: string };
  "Microsoft.Storage.BlobDeleted": OptionalFields;
  /** A blob was moved to another access tier. */
  "Microsoft.Storage.BlobTierChanged": OptionalFields & {
    accessTier?: string;
    previousTier?: string;
  };
  /** A blob is being moved or copied out of the archive tier. */
  "Microsoft.Storage.AsyncOperationInitiated": OptionalFields;
  /** Only on accounts with a hierarchical namespace, like those about directories. */
  "Microsoft.Storage.BlobRenamed": OptionalFields;
  "Microsoft.Storage.DirectoryCreated": OptionalFields & { eTag?: string };
  "Microsoft.Storage.DirectoryRenamed": OptionalFields;
  /** `recursive` is a string: `"true"` or `"false"`. */
  "Microsoft.Storage.DirectoryDeleted": OptionalFields;
}

/** The events of a storage account that the SDK declares differently from the wire. */
export interface ObjectStorageEvents extends ChangedEvents<StorageChanges> {
  /** A run of the account's lifecycle policy has ended. Each action of the policy has its summary. */
  "Microsoft.Storage.LifecyclePolicyCompleted": LifecyclePolicyCompleted;
  "Microsoft.Storage.StorageTaskAssignmentQueued": Sdk["Microsoft.Storage.StorageTaskQueued"];
  "Microsoft.Storage.StorageTaskAssignmentCompleted": Sdk["Microsoft.Storage.StorageTaskCompleted"];
}
