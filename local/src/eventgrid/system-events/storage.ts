import { family, type SampleOf, type SourceContext } from "./system-event.js";

const CONTAINER = "state";
const BLOB = "orders/17.json";

const blobSubject = (path = BLOB) => `/blobServices/default/containers/${CONTAINER}/blobs/${path}`;
const blobUrl = ({ name }: SourceContext, path = BLOB) =>
  `https://${name}.blob.core.windows.net/${CONTAINER}/${path}`;
const filesystemUrl = ({ name }: SourceContext, path: string) =>
  `https://${name}.dfs.core.windows.net/${CONTAINER}/${path}`;

/** Fields of every operation on a blob or directory. */
function operation({ newId }: SourceContext, api: string) {
  return {
    api,
    clientRequestId: newId(),
    requestId: newId(),
    sequencer: "00000000000004420000000000028963",
    storageDiagnostics: { batchId: newId() },
  };
}

const blobData = (source: SourceContext, api: string) => ({
  ...operation(source, api),
  eTag: "0x8D4BCC2E4835CD0",
  contentType: "application/json",
  contentLength: 524288,
  blobType: "BlockBlob",
  url: blobUrl(source),
});

const renamed = (source: SourceContext, api: string, from: string, to: string) => ({
  ...operation(source, api),
  sourceUrl: filesystemUrl(source, from),
  destinationUrl: filesystemUrl(source, to),
});

const lifecycleSummary = { totalObjectsCount: 16, successCount: 14, errorList: "" };

const task = (fields: Readonly<Record<string, unknown>>) => ({
  taskExecutionId: "deletes-2026-01-31",
  ...fields,
});

const taskEvent =
  (fields: (source: SourceContext) => Readonly<Record<string, unknown>>): SampleOf =>
  (source) => ({ subject: "DataManagement/StorageTasks", data: task(fields(source)) });

const reportOf = (source: SourceContext) =>
  blobUrl(source, "storage-tasks/report_2026-01-31/SummaryReport.json");

/** Storage accounts. */
export const storage = family({
  resourceType: "Microsoft.Storage/storageAccounts",
  samples: {
    "Microsoft.Storage.BlobCreated": (source) => ({
      subject: blobSubject(),
      data: { ...blobData(source, "PutBlockList"), accessTier: "Hot" },
    }),
    "Microsoft.Storage.BlobDeleted": (source) => {
      const { eTag: _, contentLength: __, ...data } = blobData(source, "DeleteBlob");
      return { subject: blobSubject(), data };
    },
    "Microsoft.Storage.BlobTierChanged": (source) => ({
      subject: blobSubject(),
      data: { ...blobData(source, "SetBlobTier"), previousTier: "Hot", accessTier: "Cool" },
    }),
    "Microsoft.Storage.AsyncOperationInitiated": (source) => ({
      subject: blobSubject(),
      data: blobData(source, "SetBlobTier"),
    }),
    "Microsoft.Storage.BlobRenamed": (source) => ({
      subject: blobSubject("orders/18.json"),
      data: renamed(source, "RenameFile", BLOB, "orders/18.json"),
    }),
    "Microsoft.Storage.DirectoryCreated": (source) => ({
      subject: blobSubject("orders"),
      data: { ...operation(source, "CreateDirectory"), url: filesystemUrl(source, "orders") },
    }),
    "Microsoft.Storage.DirectoryRenamed": (source) => ({
      subject: blobSubject("orders-2026"),
      data: renamed(source, "RenameDirectory", "orders", "orders-2026"),
    }),
    "Microsoft.Storage.DirectoryDeleted": (source) => ({
      subject: blobSubject("orders"),
      data: {
        ...operation(source, "DeleteDirectory"),
        url: filesystemUrl(source, "orders"),
        recursive: "true",
      },
    }),
    "Microsoft.Storage.BlobInventoryPolicyCompleted": (source) => ({
      subject: "BlobDataManagement/BlobInventory",
      data: {
        scheduleDateTime: source.time,
        accountName: source.name,
        ruleName: "weekly",
        policyRunStatus: "Succeeded",
        policyRunStatusMessage:
          "Inventory run succeeded, refer manifest file for inventory details.",
        policyRunId: source.newId(),
        manifestBlobUrl: blobUrl(source, "inventory/weekly-manifest.json"),
      },
    }),
    "Microsoft.Storage.LifecyclePolicyCompleted": ({ time }) => ({
      subject: "BlobDataManagement/LifeCycleManagement/SummaryReport",
      data: {
        scheduleTime: time,
        policyRunSummary: { completionStatus: "Completed" },
        deleteSummary: lifecycleSummary,
        tierToCoolSummary: { totalObjectsCount: 0, successCount: 0, errorList: "" },
        tierToColdSummary: { totalObjectsCount: 0, successCount: 0, errorList: "" },
        tierToArchiveSummary: { totalObjectsCount: 0, successCount: 0, errorList: "" },
      },
    }),
    "Microsoft.Storage.StorageTaskQueued": taskEvent(({ time }) => ({ queuedDateTime: time })),
    "Microsoft.Storage.StorageTaskCompleted": taskEvent((source) => ({
      status: "Succeeded",
      completedDateTime: source.time,
      taskName: "deletes",
      summaryReportBlobUrl: reportOf(source),
    })),
    "Microsoft.Storage.StorageTaskAssignmentQueued": taskEvent(({ time }) => ({
      queuedDateTime: time,
    })),
    "Microsoft.Storage.StorageTaskAssignmentCompleted": taskEvent((source) => ({
      status: "Succeeded",
      completedDateTime: source.time,
      taskName: "deletes",
      summaryReportBlobUrl: reportOf(source),
    })),
  },
});
