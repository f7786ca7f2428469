import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { ChangedEvents, WireForm } from "./payloads.js";

/**
 * Fields that the SDK declares as required, but that some operations leave out. Microsoft's table has
 * them without saying so; its samples are followed.
 */
interface OptionalFields {
  /** Missing for operations without a client of the REST API, for example over SFTP. */
  clientRequestId?: string;
  /** Local user of the SFTP connection. */
  identity?: string;
  /** Diagnostics for the service's own use; ignore them. */
  storageDiagnostics?: Record<string, unknown>;
}

/**
 * Fields that the SDK declares as optional. Microsoft's table and all of its samples have them, and are
 * followed.
 */
interface ContentFields {
  /** The operation, such as `PutBlob`. */
  api: string;
  /** ID that the service gave to the operation's request. */
  requestId: string;
  contentType: string;
  /** Size of the blob in bytes. */
  contentLength: number;
  /** `BlockBlob` or `PageBlob`. */
  blobType: string;
  /** URL of the blob. */
  url: string;
  /** Orders the events of one blob, as text. */
  sequencer: string;
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

/** The SDK requires all summaries; Microsoft's samples, which lack some, are followed. */
interface LifecyclePolicyCompleted {
  /** In the form `2022/05/24 22:57:29.3260160`. */
  scheduleTime: string;
  policyRunSummary?: Sdk["Microsoft.Storage.LifecyclePolicyCompleted"]["policyRunSummary"];
  deleteSummary?: LifecycleActionSummary;
  tierToCoolSummary?: LifecycleActionSummary;
  tierToColdSummary?: LifecycleActionSummary;
  tierToArchiveSummary?: LifecycleActionSummary;
}

/**
 * The fields in which events of a storage account differ from the SDK's types. Access tiers are not in
 * Microsoft's table, so they are optional, unlike in the SDK.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
 */
interface StorageChanges {
  /**
   * A blob was created or overwritten. On accounts with a hierarchical namespace the event is also
   * raised for the empty blob: wait for `api` to be `FlushWithClose`, or `SftpCommit` over SFTP.
   */
  "Microsoft.Storage.BlobCreated": OptionalFields &
    ContentFields & { eTag: string; accessTier?: string };
  /** Has neither the `eTag` nor the `contentLength` of the table, as in the SDK and in the samples. */
  "Microsoft.Storage.BlobDeleted": OptionalFields;
  /** A blob was moved to another access tier. */
  "Microsoft.Storage.BlobTierChanged": OptionalFields &
    ContentFields & { accessTier?: string; previousTier?: string };
  /** A blob is being moved or copied out of the archive tier. */
  "Microsoft.Storage.AsyncOperationInitiated": OptionalFields;
  /** Only on accounts with a hierarchical namespace, like those about directories. */
  "Microsoft.Storage.BlobRenamed": OptionalFields;
  /** `eTag` is in the SDK, but not in the samples. */
  "Microsoft.Storage.DirectoryCreated": OptionalFields & { eTag?: string };
  "Microsoft.Storage.DirectoryRenamed": OptionalFields;
  /** `recursive` is a string: `"true"` or `"false"`. */
  "Microsoft.Storage.DirectoryDeleted": OptionalFields;
}

/** The events of a storage account that the SDK declares differently from the wire. */
export interface ObjectStorageEvents extends ChangedEvents<StorageChanges> {
  /** A run of the account's lifecycle policy has ended. Each action of the policy has its summary. */
  "Microsoft.Storage.LifecyclePolicyCompleted": LifecyclePolicyCompleted;
  /** The SDK names the fields of assignments differently; Microsoft's samples are followed. */
  "Microsoft.Storage.StorageTaskAssignmentQueued": Sdk["Microsoft.Storage.StorageTaskQueued"];
  "Microsoft.Storage.StorageTaskAssignmentCompleted": Sdk["Microsoft.Storage.StorageTaskCompleted"];
}

/** A section of a device twin: its properties, and metadata in members that begin with `$`. */
export interface DeviceTwinSection {
  $metadata: { $lastUpdated: string; [property: string]: unknown };
  $version: number;
  [property: string]: unknown;
}

/**
 * A device twin in an event. Times of occurrences that have not happened are in the year 1.
 *
 * The SDK lacks `deviceEtag` and declares the two sections as optional; Microsoft's table, which has
 * all three, is followed.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-iot-hub
 */
export interface DeviceTwin
  extends Omit<Sdk["Microsoft.Devices.DeviceCreated"]["twin"], "properties" | "x509Thumbprint"> {
  deviceEtag: string;
  properties: { desired: DeviceTwinSection; reported: DeviceTwinSection };
  x509Thumbprint: { primaryThumbprint: string | null; secondaryThumbprint: string | null };
}

/** A device was registered or removed. */
export interface DeviceLifeCycle {
  hubName: string;
  deviceId: string;
  twin: DeviceTwin;
}

/**
 * A device or one of its modules was connected or disconnected. `moduleId` is there for modules only, as
 * Microsoft's table says, unlike in the SDK.
 */
export interface DeviceConnection
  extends WireForm<Sdk["Microsoft.Devices.DeviceConnected"], { moduleId?: string }> {}

/** A message that a device sent. */
export interface DeviceTelemetry {
  /**
   * The message: JSON if the device declares it (content type `application/json`, content encoding
   * `utf-8`), otherwise base64 text.
   */
  body: unknown;
  /** Properties that the device's application has set. */
  properties: Record<string, string>;
  /** Properties of IoT Hub, such as `iothub-connection-device-id` and `iothub-enqueuedtime`. */
  systemProperties: Record<string, string>;
}

/** The events of an IoT hub. */
export interface IotHubEvents {
  "Microsoft.Devices.DeviceCreated": DeviceLifeCycle;
  "Microsoft.Devices.DeviceDeleted": DeviceLifeCycle;
  "Microsoft.Devices.DeviceConnected": DeviceConnection;
  "Microsoft.Devices.DeviceDisconnected": DeviceConnection;
  "Microsoft.Devices.DeviceTelemetry": DeviceTelemetry;
}

/** The end of a maintenance operation of a cache. */
interface CacheOperation {
  /** Short name of the event, such as `ScalingCompleted`; also its subject. */
  name: string;
  /** RFC 3339 time of its end. */
  timestamp: string;
  /** `Succeeded` or `Failed`. */
  status: string;
}

/** Messages are waiting in a queue or in a topic's subscription, or in its dead-letter queue. */
type MessagesAvailable = WireForm<
  Sdk["Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners"],
  /**
   * The names of the queue or of the subscription; the others are `null`, as Microsoft's table says,
   * unlike in the SDK.
   */
  { queueName: string | null; topicName: string | null; subscriptionName: string | null }
>;

/**
 * A client was connected to a hub. The SDK and Microsoft's table have `userId` and `errorMessage`
 * without saying when they are missing; both are optional here, because not every connection has them.
 */
interface ClientConnection {
  /** RFC 3339 time. */
  timestamp: string;
  hubName: string;
  connectionId: string;
  /** User in the connection's token; missing or `null` for anonymous connections. */
  userId?: string | null;
}

/** A client was disconnected. */
interface ClientDisconnection extends ClientConnection {
  /** Why the connection was aborted; missing if it was closed normally. */
  errorMessage?: string | null;
}

/** The events of caches, event hubs, queues and hubs of clients. */
export interface MessagingEvents {
  "Microsoft.Cache.PatchingCompleted": CacheOperation;
  "Microsoft.Cache.ScalingCompleted": CacheOperation;
  "Microsoft.Cache.ImportRDBCompleted": CacheOperation;
  "Microsoft.Cache.ExportRDBCompleted": CacheOperation;
  /** Event Hubs Capture has written a file. Single messages raise no events. */
  "Microsoft.EventHub.CaptureFileCreated": Sdk["Microsoft.EventHub.CaptureFileCreated"];
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.SignalRService.ClientConnectionConnected": ClientConnection;
  "Microsoft.SignalRService.ClientConnectionDisconnected": ClientDisconnection;
}
