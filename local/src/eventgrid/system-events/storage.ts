import { family, partsOfSubject, type SampleOf, type SourceContext } from "./system-event.js";

const CONTAINER = "state";
const BLOB = "orders/17.json";
const FORM = /^\/?blobServices\/default\/containers\/([^/]+)\/blobs\/(.+)$/i;

const subjectOf = (path = BLOB) => `/blobServices/default/containers/${CONTAINER}/blobs/${path}`;

type Service = "blob" | "dfs";

/** The URL of what the subject names. */
function urlOf(source: SourceContext, service: Service, usualPath = BLOB): string {
  const [container, path = ""] = partsOfSubject(source, subjectOf(usualPath), FORM);
  return `https://${source.name}.${service}.core.windows.net/${container}/${encodeURI(path)}`;
}

/** The URL of another blob or directory in the same container. */
function urlBeside(source: SourceContext, path: string): string {
  const [container] = partsOfSubject(source, subjectOf(), FORM);
  return `https://${source.name}.dfs.core.windows.net/${container}/${path}`;
}

/** Consumers compare the texts of two events of a blob. */
export function sequencerOf(sequence: number): string {
  return sequence.toString(16).padStart(32, "0");
}

/** Fields of every operation on a blob or directory. */
function operation({ newId, sequence }: SourceContext, api: string) {
  return {
    api,
    clientRequestId: newId(),
    requestId: newId(),
    sequencer: sequencerOf(sequence),
    storageDiagnostics: { batchId: newId() },
  };
}

const blobData = (source: SourceContext, api: string) => ({
  ...operation(source, api),
  contentType: "application/json",
  contentLength: 524288,
  blobType: "BlockBlob",
  url: urlOf(source, "blob"),
});

const eTagOf = ({ sequence }: SourceContext) =>
  `0x8D${sequence.toString(16).toUpperCase().padStart(13, "0")}`;

const renamed = (source: SourceContext, api: string, from: string, to: string) => ({
  ...operation(source, api),
  sourceUrl: urlBeside(source, from),
  destinationUrl: urlOf(source, "dfs", to),
});

const lifecycleSummary = { totalObjectsCount: 16, successCount: 14, errorList: "" };

const task = (fields: Readonly<Record<string, unknown>>) => ({
  taskExecutionId: "deletes-2026-01-31",
  ...fields,
});

const taskEvent =
  (fields: (source: SourceContext) => Readonly<Record<string, unknown>>): SampleOf =>
  (source) => ({ subject: "DataManagement/StorageTasks", data: task(fields(source)) });

const reportOf = ({ name }: SourceContext) =>
  `https://${name}.blob.core.windows.net/${CONTAINER}/storage-tasks/report_2026-01-31/SummaryReport.json`;

/** Storage accounts. */
export const storage = family({
  resourceType: "Microsoft.Storage/storageAccounts",
  defaultTypes: ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"],
  samples: {
    "Microsoft.Storage.BlobCreated": (source) => ({
      subject: subjectOf(),
      data: { ...blobData(source, "PutBlockList"), eTag: eTagOf(source), accessTier: "Hot" },
    }),
    "Microsoft.Storage.BlobDeleted": (source) => {
      const { contentLength: _, ...data } = blobData(source, "DeleteBlob");
      return { subject: subjectOf(), data };
    },
    "Microsoft.Storage.BlobTierChanged": (source) => ({
      subject: subjectOf(),
      data: { ...blobData(source, "SetBlobTier"), previousTier: "Hot", accessTier: "Cool" },
    }),
    "Microsoft.Storage.AsyncOperationInitiated": (source) => ({
      subject: subjectOf(),
      data: blobData(source, "SetBlobTier"),
    }),
    "Microsoft.Storage.BlobRenamed": (source) => ({
      subject: subjectOf("orders/18.json"),
      data: renamed(source, "RenameFile", BLOB, "orders/18.json"),
    }),
    "Microsoft.Storage.DirectoryCreated": (source) => ({
      subject: subjectOf("orders"),
      data: { ...operation(source, "CreateDirectory"), url: urlOf(source, "dfs", "orders") },
    }),
    "Microsoft.Storage.DirectoryRenamed": (source) => ({
      subject: subjectOf("orders-2026"),
      data: renamed(source, "RenameDirectory", "orders", "orders-2026"),
    }),
    "Microsoft.Storage.DirectoryDeleted": (source) => ({
      subject: subjectOf("orders"),
      data: {
        ...operation(source, "DeleteDirectory"),
        url: urlOf(source, "dfs", "orders"),
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
        manifestBlobUrl: `https://${source.name}.blob.core.windows.net/${CONTAINER}/inventory/weekly-manifest.json`,
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
