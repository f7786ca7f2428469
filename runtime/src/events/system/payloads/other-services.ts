import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { Renamed, RenamedEvents, WireForm } from "./wire-form.js";

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
