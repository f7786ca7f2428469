import { type SystemEventPayloads, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, expectTypeOf, it } from "vitest";

const storageDiagnostics = { batchId: "b68529f3-68cd-4744-baa4-3c0498ec19f0" };
const requestId = "831e1650-001e-001b-66ab-eeb76e000000";
const clientRequestId = "6d79dbfb-0e37-4fc4-981f-442c9ca65760";
const sequencer = "00000000000004420000000000028963";
const url = "https://my-storage-account.dfs.core.windows.net/my-file-system/x";
const rest = { clientRequestId, requestId, sequencer, storageDiagnostics };
const sftp = { requestId, sequencer, identity: "localuser", storageDiagnostics };
const renamed = { sourceUrl: url, destinationUrl: url };
const blob = { contentType: "text/plain", contentLength: 524_288, blobType: "BlockBlob", url };
const eTag = '"0x8D4BCC2E4835CD0"';

const cache = { timestamp: "2020-12-09T21:50:19.9995668+00:00", status: "Succeeded" };
const taskExecutionId = "testdelete-2023-08-07T21:35:16.9494934Z_2023-08-07T21:35:17.5432186Z";
const taskCompleted = {
  status: "Succeeded",
  completedDateTime: "2023-08-07T21:35:34Z",
  taskExecutionId,
  taskName: "delete123",
  summaryReportBlobUrl: "https://my-storage-account.blob.core.windows.net/result-container/x.csv",
} as const;
const taskQueued = { queuedDateTime: "2023-08-07T21:35:23Z", taskExecutionId };

const none = { totalObjectsCount: 0, successCount: 0, errorList: "" };

const section = { $metadata: { $lastUpdated: "2018-01-02T19:17:44.4383997Z" }, $version: 1 };
const device = {
  hubName: "egtesthub1",
  deviceId: "LogicAppTestDevice",
  twin: {
    deviceId: "LogicAppTestDevice",
    etag: "AAAAAAAAAAE=",
    deviceEtag: "null",
    status: "enabled",
    statusUpdateTime: "0001-01-01T00:00:00",
    connectionState: "Disconnected",
    lastActivityTime: "0001-01-01T00:00:00",
    cloudToDeviceMessageCount: 0,
    authenticationType: "sas",
    x509Thumbprint: { primaryThumbprint: null, secondaryThumbprint: null },
    version: 2,
    properties: { desired: section, reported: section },
  },
};
const connection = {
  deviceConnectionStateEventInfo: { sequenceNumber: "000000000000000001D4132452F67CE2" },
  hubName: "egtesthub1",
  deviceId: "LogicAppTestDevice",
};

const subscriber = {
  namespaceName: "ns",
  requestUri: "https://ns.servicebus.windows.net/topic/subscriptions/s/messages/head",
  entityType: "subscriber",
  queueName: null,
  topicName: "topic",
  subscriptionName: "s",
};
const queue = { ...subscriber, queueName: "q", topicName: null, subscriptionName: null };

const client = {
  timestamp: "2019-06-10T18:41:00.9584103Z",
  hubName: "chat",
  connectionId: "crH0uxVSvP61p5wkFY1x1A",
};

type Type = (typeof systemEventTypes)[
  | "objectStorage"
  | "cache"
  | "eventStreaming"
  | "iotHub"
  | "messageQueue"
  | "realTimeMessaging"][number];

/** The samples of Microsoft's documentation, which the compiler checks against the payload types. */
const samples: { readonly [Name in Type]: readonly SystemEventPayloads[Name][] } = {
  "Microsoft.Storage.BlobCreated": [
    { api: "PutBlockList", eTag, ...blob, ...rest },
    { api: "CreateFile", eTag, contentOffset: 0, ...blob, ...rest },
    { api: "SftpCommit", eTag, contentOffset: 0, ...blob, ...sftp },
  ],
  "Microsoft.Storage.BlobDeleted": [
    {
      api: "DeleteBlob",
      requestId,
      contentType: "text/plain",
      blobType: "BlockBlob",
      url,
      sequencer,
    },
    { api: "SftpRemove", contentType: "text/plain", blobType: "BlockBlob", url, ...sftp },
  ],
  "Microsoft.Storage.BlobTierChanged": [
    { api: "SetBlobTier", ...blob, ...rest },
    { api: "SetBlobTier", accessTier: "Cool", previousTier: "Hot", ...blob, ...rest },
  ],
  "Microsoft.Storage.AsyncOperationInitiated": [{ api: "SetBlobTier", ...blob, ...rest }],
  "Microsoft.Storage.BlobRenamed": [
    { api: "RenameFile", ...renamed, ...rest },
    { api: "SftpRename", ...renamed, ...sftp },
  ],
  "Microsoft.Storage.DirectoryCreated": [
    { api: "CreateDirectory", url, ...rest },
    { api: "SftpMakeDir", url, ...sftp },
  ],
  "Microsoft.Storage.DirectoryRenamed": [
    { api: "RenameDirectory", ...renamed, ...rest },
    { api: "SftpRename", ...renamed, ...sftp },
  ],
  "Microsoft.Storage.DirectoryDeleted": [
    { api: "DeleteDirectory", url, recursive: "true", ...rest },
    { api: "SftpRemoveDir", url, recursive: "false", ...sftp },
  ],
  "Microsoft.Storage.BlobInventoryPolicyCompleted": [
    {
      scheduleDateTime: "2021-05-28T03:50:27Z",
      accountName: "testaccount",
      ruleName: "Rule_1",
      policyRunStatus: "Succeeded",
      policyRunStatusMessage: "Inventory run succeeded, refer manifest file for inventory details.",
      policyRunId: "run",
      manifestBlobUrl: "https://testaccount.blob.core.windows.net/inventory/Rule_1.csv",
    },
  ],
  "Microsoft.Storage.LifecyclePolicyCompleted": [
    {
      scheduleTime: "2022/05/24 22:57:29.3260160",
      deleteSummary: { totalObjectsCount: 16, successCount: 14, errorList: "" },
      tierToCoolSummary: none,
      tierToArchiveSummary: none,
    },
    {
      scheduleTime: "2022/05/24 22:57:29.3260160",
      policyRunSummary: { completionStatus: "CompletedWithErrors" },
      deleteSummary: {
        totalObjectsCount: 5,
        successCount: 3,
        errorList: ["testFile4.txt", "testFile5.txt"],
      },
      tierToColdSummary: { ...none, errorList: [{ name: "testFile6.txt" }] },
    },
  ],
  "Microsoft.Storage.StorageTaskQueued": [taskQueued],
  "Microsoft.Storage.StorageTaskCompleted": [taskCompleted],
  "Microsoft.Storage.StorageTaskAssignmentQueued": [taskQueued],
  "Microsoft.Storage.StorageTaskAssignmentCompleted": [taskCompleted],
  "Microsoft.Cache.PatchingCompleted": [{ name: "PatchingCompleted", ...cache }],
  "Microsoft.Cache.ScalingCompleted": [{ name: "ScalingCompleted", ...cache }],
  "Microsoft.Cache.ImportRDBCompleted": [{ name: "ImportRDBCompleted", ...cache }],
  "Microsoft.Cache.ExportRDBCompleted": [{ name: "ExportRDBCompleted", ...cache }],
  "Microsoft.EventHub.CaptureFileCreated": [
    {
      fileUrl: "https://tf0831datamigrate.blob.core.windows.net/windturbinecapture/45.avro",
      fileType: "AzureBlockBlob",
      partitionId: "1",
      sizeInBytes: 249_168,
      eventCount: 1500,
      firstSequenceNumber: 2400,
      lastSequenceNumber: 3899,
      firstEnqueueTime: "2017-08-31T19:12:14.674Z",
      lastEnqueueTime: "2017-08-31T19:12:44.309Z",
    },
  ],
  "Microsoft.Devices.DeviceCreated": [device],
  "Microsoft.Devices.DeviceDeleted": [device],
  "Microsoft.Devices.DeviceConnected": [connection, { ...connection, moduleId: "DeviceModuleID" }],
  "Microsoft.Devices.DeviceDisconnected": [connection],
  "Microsoft.Devices.DeviceTelemetry": [
    {
      body: { Weather: { Temperature: 900 }, Location: "USA" },
      properties: { Status: "Active" },
      systemProperties: {
        "iothub-content-type": "application/json",
        "iothub-enqueuedtime": "2019-01-07T20:58:30.48Z",
      },
    },
    { body: "eyJ0ZW1wIjoyMX0=", properties: {}, systemProperties: {} },
  ],
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": [subscriber, queue],
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": [subscriber, queue],
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": [subscriber, queue],
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": [subscriber, queue],
  "Microsoft.SignalRService.ClientConnectionConnected": [
    client,
    { ...client, userId: "user-eymwyo23" },
  ],
  "Microsoft.SignalRService.ClientConnectionDisconnected": [
    client,
    { ...client, userId: "user-eymwyo23", errorMessage: "Internal server error." },
  ],
};

describe("the payload types", () => {
  it("accept the samples of Microsoft's documentation", () => {
    const { objectStorage, cache, eventStreaming, iotHub, messageQueue, realTimeMessaging } =
      systemEventTypes;
    expect(Object.keys(samples).sort()).toEqual(
      [objectStorage, cache, eventStreaming, iotHub, messageQueue, realTimeMessaging].flat().sort(),
    );
  });
  it("require what Microsoft's tables of fields have in every event", () => {
    type Created = SystemEventPayloads["Microsoft.Storage.BlobCreated"];
    type Always = "api" | "requestId" | "eTag" | "contentType" | "contentLength" | "blobType";
    expectTypeOf<RequiredNames<Created>>().toEqualTypeOf<Always | "url" | "sequencer">();
    type Moved = SystemEventPayloads["Microsoft.Storage.BlobTierChanged"];
    expectTypeOf<RequiredNames<Moved>>().toEqualTypeOf<
      Exclude<Always, "eTag"> | "url" | "sequencer"
    >();
    type Twin = SystemEventPayloads["Microsoft.Devices.DeviceCreated"]["twin"];
    expectTypeOf<RequiredNames<Twin>>().toEqualTypeOf<keyof Twin>();
    expectTypeOf<RequiredNames<Twin["properties"]>>().toEqualTypeOf<"desired" | "reported">();
  });
});

/** The fields that are not optional. */
type RequiredNames<T> = {
  [Name in keyof T]-?: object extends Pick<T, Name> ? never : Name;
}[keyof T];
