import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";

/**
 * The type of a payload as JSON on the wire: the type of the SDK, which describes the result of its
 * deserializer, with the fields that differ.
 */
export type WireForm<SdkData, Changes = unknown> = {
  [Field in keyof Omit<SdkData, keyof Changes>]: SdkData[Field & keyof SdkData];
} & Changes;

/**
 * The type of a payload of which the SDK's types rename fields. Its deserializer leaves the data of an
 * event as it is, so that the SDK's names exist only in its types.
 *
 * @see the `serializedName`s in the SDK's `generated/models/mappers`
 */
export type Renamed<SdkData, WireNames extends { readonly [Field in keyof SdkData]?: string }> = {
  [Field in keyof SdkData as Field extends keyof WireNames
    ? WireNames[Field] & string
    : Field]: SdkData[Field];
};

/** Events whose payloads differ from the SDK's types in the fields of a table, by event type. */
export type ChangedEvents<Changes> = {
  [Name in keyof Changes]: WireForm<Sdk[Name & keyof Sdk], Changes[Name]>;
};

/** Events whose payloads differ from the SDK's types in the names of a table, by event type. */
export type RenamedEvents<
  WireNames extends { readonly [Name in keyof WireNames]: Readonly<Record<string, string>> },
> = {
  [Name in keyof WireNames]: Renamed<Sdk[Name & keyof Sdk], WireNames[Name]>;
};

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

/** A section of a device twin: its properties, and metadata in members that begin with `$`. */
export interface DeviceTwinSection {
  $metadata: { $lastUpdated: string; [property: string]: unknown };
  $version: number;
  [property: string]: unknown;
}

/** A device twin in an event. Times of occurrences that have not happened are in the year 1. */
export interface DeviceTwin
  extends Omit<Sdk["Microsoft.Devices.DeviceCreated"]["twin"], "properties" | "x509Thumbprint"> {
  deviceEtag?: string;
  properties: { desired?: DeviceTwinSection; reported?: DeviceTwinSection };
  x509Thumbprint: { primaryThumbprint: string | null; secondaryThumbprint: string | null };
}

/** A device was registered or removed. */
export interface DeviceLifeCycle {
  hubName: string;
  deviceId: string;
  twin: DeviceTwin;
}

/** A device or one of its modules was connected or disconnected. */
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

type MessageReceived = Sdk["Microsoft.Communication.AdvancedMessageReceived"];
type Interactive = NonNullable<MessageReceived["interactiveContent"]>;
type ReplyButton = Renamed<Interactive["buttonReply"], { buttonId: "id" }>;
type ReplyItem = Renamed<Interactive["listReply"], { listItemId: "id" }>;

interface Reply
  extends WireForm<
    Renamed<Interactive, { replyKind: "type" }>,
    { buttonReply?: ReplyButton; listReply?: ReplyItem }
  > {}

interface Message
  extends WireForm<
    Renamed<
      MessageReceived,
      { channelKind: "channelType"; mediaContent: "media"; interactiveContent: "interactive" }
    >,
    {
      media?: Renamed<NonNullable<MessageReceived["mediaContent"]>, { mediaId: "id" }>;
      context?: Renamed<NonNullable<MessageReceived["context"]>, { messageId: "id" }>;
      interactive?: Reply;
    }
  > {}

type SdkSelector =
  Sdk["Microsoft.Communication.RouterJobQueued"]["attachedWorkerSelectors"][number];

/** A condition for the label of a worker. Its value is a string, a number or a boolean. */
interface WorkerSelector
  extends WireForm<
    Omit<SdkSelector, "labelValue">,
    { value: unknown; state?: string; expirationTime?: string }
  > {}

/** An error of a classification, with the errors that caused it. */
interface ClassificationError {
  code: string;
  message: string;
  target?: string | null;
  innererror?: ClassificationError | null;
  details?: ClassificationError[];
}

interface Expired {
  expiredAttachedWorkerSelectors?: WorkerSelector[];
  expiredRequestedWorkerSelectors?: WorkerSelector[];
}

/** The metadata of a chat, such as its topic. */
interface ChatMetadata {
  properties: Record<string, unknown>;
}

/** The fields in which events of Communication Services differ from the SDK's types. */
interface CommunicationChanges {
  "Microsoft.Communication.CallEnded": {
    endedBy: Renamed<Sdk["Microsoft.Communication.CallEnded"]["endedBy"], { kind: "type" }>;
  };
  "Microsoft.Communication.ChatThreadCreated": ChatMetadata;
  "Microsoft.Communication.ChatThreadCreatedWithUser": ChatMetadata;
  "Microsoft.Communication.ChatThreadPropertiesUpdated": ChatMetadata;
  "Microsoft.Communication.ChatThreadPropertiesUpdatedPerUser": ChatMetadata;
  "Microsoft.Communication.RouterJobClassificationFailed": { errors: ClassificationError[] };
  "Microsoft.Communication.RouterJobClassified": { attachedWorkerSelectors: WorkerSelector[] };
  "Microsoft.Communication.RouterJobQueued": {
    attachedWorkerSelectors: WorkerSelector[];
    requestedWorkerSelectors: WorkerSelector[];
  };
  "Microsoft.Communication.RouterJobReceived": { requestedWorkerSelectors?: WorkerSelector[] };
  "Microsoft.Communication.RouterJobSchedulingFailed": Expired;
  "Microsoft.Communication.RouterJobWaitingForActivation": Expired;
}

/** The names of fields in which they differ. */
interface CommunicationNames {
  "Microsoft.Communication.AdvancedMessageDeliveryStatusUpdated": { channelKind: "channelType" };
  "Microsoft.Communication.EmailEngagementTrackingReportReceived": { engagement: "engagementType" };
  "Microsoft.Communication.IncomingCall": {
    toCommunicationIdentifier: "to";
    fromCommunicationIdentifier: "from";
  };
}

/** The events of Communication Services that the SDK declares differently from the wire. */
export interface CommunicationEvents
  extends ChangedEvents<CommunicationChanges>,
    RenamedEvents<CommunicationNames> {
  "Microsoft.Communication.AdvancedMessageReceived": Message;
  /** The SDK calls it `RouterJobWorkerSelectorsExpire`. */
  "Microsoft.Communication.RouterJobWorkerSelectorsExpired": WireForm<
    Sdk["Microsoft.Communication.RouterJobWorkerSelectorsExpire"],
    Expired
  >;
}

type NearExpiry = Sdk["Microsoft.ApiManagement.GatewayTokenNearExpiry"];
type ImagePushed = Sdk["Microsoft.ContainerRegistry.ImagePushed"];
type ChartPushed = Sdk["Microsoft.ContainerRegistry.ChartPushed"];
type PlanUpdated = Sdk["Microsoft.Web.AppServicePlanUpdated"];

/** The documented payloads lack what is optional here, a deletion also size and tag. */
type ImageEvent = WireForm<
  ImagePushed,
  {
    target: Pick<ImagePushed["target"], "mediaType" | "digest" | "repository"> &
      Partial<ImagePushed["target"]>;
    request: WireForm<ImagePushed["request"], { addr?: string }>;
    actor?: ImagePushed["actor"];
    source?: ImagePushed["source"];
    connectedRegistry?: ImagePushed["connectedRegistry"];
  }
>;

type ChartEvent = WireForm<ChartPushed, { connectedRegistry?: ChartPushed["connectedRegistry"] }>;

/** Not every operation has an HTTP request, and none names its resource group, unlike in the SDK. */
type ResourceManagerEvents = {
  [Name in Extract<keyof Sdk, `Microsoft.Resources.${string}`>]: WireForm<
    Sdk[Name],
    { resourceGroup?: string; httpRequest?: Sdk[Name]["httpRequest"] }
  >;
};

/** The slots of a swap, which the SDK lacks. */
type SlotSwapEvents = {
  [Name in Extract<keyof Sdk, `Microsoft.Web.SlotSwap${string}`>]: WireForm<
    Sdk[Name],
    { appEventTypeDetail: null; sourceSlot: string; targetSlot: string }
  >;
};

type SdkOutput = Extract<
  Sdk["Microsoft.Media.JobFinished"]["outputs"][number],
  { assetName: string }
>;

/** An output of a job. */
type JobOutput = WireForm<
  Renamed<SdkOutput, { odataType: "@odata.type" }>,
  { error?: SdkOutput["error"] | null }
>;

/** The events of one output, except for its progress, and of jobs that have ended. */
type MediaEvents = {
  [Name in Exclude<
    Extract<keyof Sdk, `Microsoft.Media.JobOutput${string}`>,
    "Microsoft.Media.JobOutputProgress"
  >]: WireForm<Sdk[Name], { output: JobOutput }>;
} & {
  [Name in `Microsoft.Media.Job${"Canceled" | "Errored" | "Finished"}`]: WireForm<
    Sdk[Name],
    { outputs: JobOutput[] }
  >;
};

type NotificationNames = Record<
  Extract<keyof Sdk, `Microsoft.ResourceNotifications.${string}`>,
  { resourceDetails: "resourceInfo"; operationalDetails: "operationalInfo" }
>;

/** The end of a maintenance operation of a cache. */
interface CacheOperation {
  /** Short name of the event, such as `ScalingCompleted`; also its subject. */
  name: string;
  /** RFC 3339 time of its end. */
  timestamp: string;
  /** `Succeeded` or `Failed`. */
  status: string;
}

/**
 * Seconds since 1970, as a number or its digits. `null` if the object has no such time.
 */
type UnixTime = number | string | null;

/** A version of a key, secret or certificate. Its names begin with capitals, unlike the SDK's. */
interface KeyVaultObject {
  /** URL of the version. */
  Id: string;
  VaultName: string;
  /** `Key`, `Secret` or `Certificate`. */
  ObjectType: string;
  ObjectName: string;
  Version: string;
  /** The object is not valid before this time. */
  NBF: UnixTime;
  /** The object expires at this time. */
  EXP: UnixTime;
}

/** Messages are waiting in a queue or in a topic's subscription, or in its dead-letter queue. */
type MessagesAvailable = WireForm<
  Sdk["Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners"],
  /** The names of the queue or of the subscription; the others are `null`. */
  { queueName: string | null; topicName: string | null; subscriptionName: string | null }
>;

/** A client was connected to a hub. */
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

/** The events of further services that the SDK lacks or declares differently from the wire. */
export interface OtherServicesEvents
  extends SlotSwapEvents,
    MediaEvents,
    RenamedEvents<NotificationNames>,
    Record<Extract<keyof Sdk, `Microsoft.KeyVault.${string}`>, KeyVaultObject>,
    ResourceManagerEvents {
  "Microsoft.ApiManagement.GatewayTokenNearExpiry": {
    gatewayInfo: NearExpiry["gateway"];
    tokenInfo: { expiresAtUtc: string };
  };
  "Microsoft.ApiManagement.GatewayTokenExpired": {
    gatewayInfo: NearExpiry["gateway"];
    tokenInfo: { expiredAtUtc: string };
  };
  "Microsoft.Cache.PatchingCompleted": CacheOperation;
  "Microsoft.Cache.ScalingCompleted": CacheOperation;
  "Microsoft.Cache.ImportRDBCompleted": CacheOperation;
  "Microsoft.Cache.ExportRDBCompleted": CacheOperation;
  "Microsoft.ContainerRegistry.ImagePushed": ImageEvent;
  "Microsoft.ContainerRegistry.ImageDeleted": ImageEvent;
  "Microsoft.ContainerRegistry.ChartPushed": ChartEvent;
  "Microsoft.ContainerRegistry.ChartDeleted": ChartEvent;
  /** Event Hubs Capture has written a file. Single messages raise no events. */
  "Microsoft.EventHub.CaptureFileCreated": Sdk["Microsoft.EventHub.CaptureFileCreated"];
  /** The SDK has a space at the end of the name. */
  "Microsoft.PolicyInsights.PolicyStateChanged": Sdk["Microsoft.PolicyInsights.PolicyStateChanged "];
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.SignalRService.ClientConnectionConnected": ClientConnection;
  "Microsoft.SignalRService.ClientConnectionDisconnected": ClientDisconnection;
  "Microsoft.Web.AppServicePlanUpdated": WireForm<
    PlanUpdated,
    {
      sku: Renamed<
        PlanUpdated["sku"],
        { tier: "Tier"; size: "Size"; family: "Family"; capacity: "Capacity" }
      >;
    }
  >;
}
