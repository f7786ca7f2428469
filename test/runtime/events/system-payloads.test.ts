import type { SystemEventPayloads } from "cloud-eventgrid-binding-runtime/events";
import { describe, expectTypeOf, test } from "vitest";

type Payload<Type extends keyof SystemEventPayloads> = SystemEventPayloads[Type];

/** Compiles when a payload as the wire has it is one of the type. */
function accepts<Data>(...payloads: Data[]): void {
  expectTypeOf(payloads).toEqualTypeOf<Data[]>();
}

const storageDiagnostics = { batchId: "b68529f3" };

describe("payloads are typed as JSON holds them", () => {
  test("a blob made over REST, and one over SFTP: without a client's request, with a user", () => {
    accepts<Payload<"Microsoft.Storage.BlobCreated">>(
      {
        api: "PutBlockList",
        clientRequestId: "6d79dbfb",
        requestId: "831e1650",
        eTag: "0x8D4BCC2E4835CD0",
        contentType: "text/plain",
        contentLength: 524_288,
        blobType: "BlockBlob",
        url: "https://acct.blob.core.windows.net/state/app/key1",
        sequencer: "0000",
        storageDiagnostics,
      },
      {
        api: "SftpCommit",
        requestId: "831e1650",
        eTag: "0x8D4BCC2E4835CD0",
        contentType: "application/octet-stream",
        contentLength: 0,
        contentOffset: 0,
        blobType: "BlockBlob",
        url: "https://acct.blob.core.windows.net/in/new.txt",
        sequencer: "0000",
        identity: "localuser",
        storageDiagnostics,
      },
    );
  });

  test("blobs and directories that are deleted or renamed", () => {
    accepts<Payload<"Microsoft.Storage.DirectoryDeleted">>({
      api: "DeleteDirectory",
      requestId: "831e1650",
      url: "https://acct.dfs.core.windows.net/fs/dir",
      recursive: "true",
      sequencer: "0000",
      storageDiagnostics,
    });
    accepts<Payload<"Microsoft.Storage.BlobRenamed">>({
      api: "RenameFile",
      clientRequestId: "6d79dbfb",
      requestId: "831e1650",
      sourceUrl: "https://acct.dfs.core.windows.net/fs/a",
      destinationUrl: "https://acct.dfs.core.windows.net/fs/b",
      sequencer: "0000",
    });
  });

  test("storage tasks by the names on the wire, not the SDK's", () => {
    accepts<Payload<"Microsoft.Storage.StorageTaskAssignmentQueued">>({
      queuedDateTime: "2026-01-01T00:00:00Z",
      taskExecutionId: "run",
    });
    accepts<Payload<"Microsoft.Storage.StorageTaskAssignmentCompleted">>({
      status: "Succeeded",
      completedDateTime: "2026-01-01T00:00:00Z",
      taskExecutionId: "run",
      taskName: "tidy",
      summaryReportBlobUrl: "https://acct.blob.core.windows.net/report/summary.csv",
    });
  });

  test("a cache's operation", () => {
    accepts<Payload<"Microsoft.Cache.ScalingCompleted">>({
      name: "ScalingCompleted",
      timestamp: "2026-01-01T00:00:00Z",
      status: "Succeeded",
    });
  });

  test("a captured file: its times are strings", () => {
    expectTypeOf<
      Payload<"Microsoft.EventHub.CaptureFileCreated">["firstEnqueueTime"]
    >().toEqualTypeOf<string>();
  });

  test("a device twin with its $metadata, and thumbprints that are null", () => {
    const section = {
      $metadata: { $lastUpdated: "2026-01-01T00:00:00Z" },
      $version: 1,
      interval: 60,
    };
    accepts<Payload<"Microsoft.Devices.DeviceCreated">>({
      hubName: "hub1",
      deviceId: "d1",
      twin: {
        deviceId: "d1",
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
    });
  });

  test("a connection of a device, that has no module", () => {
    accepts<Payload<"Microsoft.Devices.DeviceConnected">>({
      hubName: "hub1",
      deviceId: "d1",
      deviceConnectionStateEventInfo: { sequenceNumber: "0000" },
    });
  });

  test("telemetry: JSON or base64 text, so that a handler has to look", () => {
    expectTypeOf<Payload<"Microsoft.Devices.DeviceTelemetry">["body"]>().toEqualTypeOf<unknown>();
  });

  test("a message queue's entity: the other kind's names are null", () => {
    accepts<Payload<"Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications">>({
      namespaceName: "ns",
      requestUri: "https://ns.servicebus.windows.net/t1/subscriptions/s1/messages/head",
      entityType: "subscriber",
      queueName: null,
      topicName: "t1",
      subscriptionName: "s1",
    });
  });

  test("a client's connection, which may be anonymous", () => {
    accepts<Payload<"Microsoft.SignalRService.ClientConnectionDisconnected">>(
      {
        timestamp: "2026-01-01T00:00:00Z",
        hubName: "chat",
        connectionId: "c1",
        userId: "u1",
        errorMessage: "Internal server error.",
      },
      { timestamp: "2026-01-01T00:00:00Z", hubName: "chat", connectionId: "c1" },
    );
  });
});
