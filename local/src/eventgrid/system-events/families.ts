import { type EventFamily, type Sample, samplesOf, subjectForm } from "./sample.js";
import samples from "./sdk-samples.json";

/** The samples of the event types in Microsoft's SDK, one a line after all types that have it. */
export const sdkSamples = samplesOf(samples);

// The others follow: their data names what the subject names, or the SDK lacks them.

/** Keeps the literal event types, which a type annotation would widen. */
function family<Type extends string>(events: EventFamily<Type>): EventFamily<Type> {
  return events;
}

type Data = Sample["data"];

/** Of a blob or directory in a storage account. */
const inStorage = (path: string, api: string, data: Data): Sample => ({
  subject: `/blobServices/default/containers/state/blobs/${path}`,
  form: subjectForm("/?blobServices/default/containers/{container}/blobs/{path}"),
  data: {
    api,
    clientRequestId: "{uuid}",
    requestId: "{uuid}",
    sequencer: "{sequencer}",
    storageDiagnostics: { batchId: "{uuid}" },
    ...data,
  },
});

const ofBlob = (api: string, data: Data): Sample =>
  inStorage("orders/17.json", api, {
    contentType: "application/json",
    blobType: "BlockBlob",
    url: "https://{name}.blob.core.windows.net/{container}/{path}",
    ...data,
  });

const contentLength = 524288;

const dfs = (path: string) => `https://{name}.dfs.core.windows.net/{container}/${path}`;

const summary = (count: number) => ({
  totalObjectsCount: count,
  successCount: count === 0 ? 0 : count - 2,
  errorList: "",
});

const ofTask = (data: Data): Sample => ({
  subject: "DataManagement/StorageTasks",
  data: { taskExecutionId: "deletes-2026-01-31", ...data },
});

const taskQueued = ofTask({ queuedDateTime: "{time}" });
const taskCompleted = ofTask({
  status: "Succeeded",
  completedDateTime: "{time}",
  taskName: "deletes",
  summaryReportBlobUrl:
    "https://{name}.blob.core.windows.net/state/storage-tasks/report_2026-01-31/SummaryReport.json",
});

const storage = family({
  resourceType: "Microsoft.Storage/storageAccounts",
  defaultTypes: ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"],
  samples: {
    "Microsoft.Storage.BlobCreated": ofBlob("PutBlockList", {
      contentLength,
      eTag: "0x8D{sequence}",
      accessTier: "Hot",
    }),
    "Microsoft.Storage.BlobDeleted": ofBlob("DeleteBlob", {}),
    "Microsoft.Storage.BlobTierChanged": ofBlob("SetBlobTier", {
      contentLength,
      previousTier: "Hot",
      accessTier: "Cool",
    }),
    "Microsoft.Storage.AsyncOperationInitiated": ofBlob("SetBlobTier", { contentLength }),
    "Microsoft.Storage.BlobRenamed": inStorage("orders/18.json", "RenameFile", {
      sourceUrl: dfs("orders/17.json"),
      destinationUrl: dfs("{path}"),
    }),
    "Microsoft.Storage.DirectoryCreated": inStorage("orders", "CreateDirectory", {
      url: dfs("{path}"),
    }),
    "Microsoft.Storage.DirectoryRenamed": inStorage("orders-2026", "RenameDirectory", {
      sourceUrl: dfs("orders"),
      destinationUrl: dfs("{path}"),
    }),
    "Microsoft.Storage.DirectoryDeleted": inStorage("orders", "DeleteDirectory", {
      url: dfs("{path}"),
      recursive: "true",
    }),
    "Microsoft.Storage.BlobInventoryPolicyCompleted": {
      subject: "BlobDataManagement/BlobInventory",
      data: {
        scheduleDateTime: "{time}",
        accountName: "{name}",
        ruleName: "weekly",
        policyRunStatus: "Succeeded",
        policyRunStatusMessage:
          "Inventory run succeeded, refer manifest file for inventory details.",
        policyRunId: "{uuid}",
        manifestBlobUrl:
          "https://{name}.blob.core.windows.net/state/inventory/weekly-manifest.json",
      },
    },
    "Microsoft.Storage.LifecyclePolicyCompleted": {
      subject: "BlobDataManagement/LifeCycleManagement/SummaryReport",
      data: {
        scheduleTime: "{time}",
        policyRunSummary: { completionStatus: "Completed" },
        deleteSummary: summary(16),
        tierToCoolSummary: summary(0),
        tierToColdSummary: summary(0),
        tierToArchiveSummary: summary(0),
      },
    },
    "Microsoft.Storage.StorageTaskQueued": taskQueued,
    "Microsoft.Storage.StorageTaskCompleted": taskCompleted,
    "Microsoft.Storage.StorageTaskAssignmentQueued": taskQueued,
    "Microsoft.Storage.StorageTaskAssignmentCompleted": taskCompleted,
  },
});

const ofCache = (subject: string): Sample => ({
  subject,
  data: { name: "{subject}", timestamp: "{time}", status: "Succeeded" },
});

const cache = family({
  resourceType: "Microsoft.Cache/Redis",
  samples: {
    "Microsoft.Cache.PatchingCompleted": ofCache("PatchingCompleted"),
    "Microsoft.Cache.ScalingCompleted": ofCache("ScalingCompleted"),
    "Microsoft.Cache.ImportRDBCompleted": ofCache("ImportRDBCompleted"),
    "Microsoft.Cache.ExportRDBCompleted": ofCache("ExportRDBCompleted"),
  },
});

/** A namespace that has Capture enabled. */
const eventHubs = family({
  resourceType: "Microsoft.EventHub/namespaces",
  samples: {
    "Microsoft.EventHub.CaptureFileCreated": {
      subject: "eventhubs/orders",
      form: subjectForm("eventhubs/{hub}"),
      data: {
        fileUrl: "https://captures.blob.core.windows.net/capture/{name}/{hub}/1/{timePath}.avro",
        fileType: "AzureBlockBlob",
        partitionId: "1",
        sizeInBytes: 249168,
        eventCount: 1500,
        firstSequenceNumber: 2400,
        lastSequenceNumber: 3899,
        firstEnqueueTime: "{time}",
        lastEnqueueTime: "{time}",
      },
    },
  },
});

const ofDevice = (data: Data): Sample => ({
  subject: "devices/device-1",
  form: subjectForm("devices/{device}"),
  data,
});

const NEVER = "0001-01-01T00:00:00Z";

const twinProperties = { $metadata: { $lastUpdated: "{time}" }, $version: 1 };

const lifecycle = ofDevice({
  hubName: "{name}",
  deviceId: "{device}",
  twin: {
    deviceId: "{device}",
    etag: "AAAAAAAAAAE=",
    deviceEtag: "null",
    status: "enabled",
    statusUpdateTime: NEVER,
    connectionState: "Disconnected",
    lastActivityTime: NEVER,
    cloudToDeviceMessageCount: 0,
    authenticationType: "sas",
    x509Thumbprint: { primaryThumbprint: null, secondaryThumbprint: null },
    version: 2,
    properties: { desired: twinProperties, reported: twinProperties },
  },
});

const connection = ofDevice({
  hubName: "{name}",
  deviceId: "{device}",
  deviceConnectionStateEventInfo: { sequenceNumber: `${"0".repeat(51)}{sequence}` },
});

/** Its events have a source in upper case. */
const iotHub = family({
  resourceType: "Microsoft.Devices/IotHubs",
  sourceOf: (resourceId) => resourceId.toUpperCase(),
  samples: {
    "Microsoft.Devices.DeviceCreated": lifecycle,
    "Microsoft.Devices.DeviceDeleted": lifecycle,
    "Microsoft.Devices.DeviceConnected": connection,
    "Microsoft.Devices.DeviceDisconnected": connection,
    "Microsoft.Devices.DeviceTelemetry": ofDevice({
      properties: {},
      systemProperties: {
        "iothub-content-type": "application/json",
        "iothub-content-encoding": "utf-8",
        "iothub-connection-device-id": "{device}",
        "iothub-connection-auth-method":
          '{"scope":"device","type":"sas","issuer":"iothub","acceptingIpFilterRule":null}',
        "iothub-connection-auth-generation-id": "636591077246850457",
        "iothub-enqueuedtime": "{time}",
        "iothub-message-source": "Telemetry",
      },
      body: { temperature: 21 },
    }),
  },
});

const messages = (queue: string): readonly [Sample, Sample] => {
  const entity = (entityType: string, path: string, names: Data) => ({
    namespaceName: "{name}",
    requestUri: `https://{name}.servicebus.windows.net/${path}${queue}/messages/head`,
    entityType,
    queueName: null,
    topicName: null,
    subscriptionName: null,
    ...names,
  });
  return [
    {
      subject: "topics/orders/subscriptions/billing",
      form: subjectForm("topics/{topic}/subscriptions/{subscription}"),
      data: entity("subscriber", "{topic}/subscriptions/{subscription}", {
        topicName: "{topic}",
        subscriptionName: "{subscription}",
      }),
    },
    {
      subject: "queues/orders",
      form: subjectForm("queues/{queue}"),
      data: entity("queue", "{queue}", { queueName: "{queue}" }),
    },
  ];
};

/** Premium namespaces. */
const serviceBus = family({
  resourceType: "Microsoft.ServiceBus/namespaces",
  samples: {
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": messages(""),
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners":
      messages("/$deadletterqueue"),
    "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": messages(""),
    "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications":
      messages("/$deadletterqueue"),
  },
});

const ofClient = (data: Data): Sample => ({
  subject: "/hub/chat",
  form: subjectForm("/hub/{hub}"),
  data: {
    timestamp: "{time}",
    hubName: "{hub}",
    connectionId: "{uuid}",
    userId: "user-1",
    ...data,
  },
});

const signalR = family({
  resourceType: "Microsoft.SignalRService/SignalR",
  samples: {
    "Microsoft.SignalRService.ClientConnectionConnected": ofClient({}),
    "Microsoft.SignalRService.ClientConnectionDisconnected": ofClient({
      errorMessage: "Internal server error.",
    }),
  },
});

export const writtenFamilies = [storage, cache, eventHubs, iotHub, serviceBus, signalR] as const;
