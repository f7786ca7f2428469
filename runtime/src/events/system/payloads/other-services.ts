import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { Renamed, WireForm } from "./wire-form.js";

type NearExpiry = Sdk["Microsoft.ApiManagement.GatewayTokenNearExpiry"];

interface GatewayTokenEvents {
  "Microsoft.ApiManagement.GatewayTokenNearExpiry": {
    gatewayInfo: NearExpiry["gateway"];
    tokenInfo: { expiresAtUtc: string };
  };
  "Microsoft.ApiManagement.GatewayTokenExpired": {
    gatewayInfo: NearExpiry["gateway"];
    tokenInfo: { expiredAtUtc: string };
  };
}

interface EventStreamingEvents {
  /** Event Hubs Capture has written a file. Single messages raise no events. */
  "Microsoft.EventHub.CaptureFileCreated": WireForm<Sdk["Microsoft.EventHub.CaptureFileCreated"]>;
}

interface PolicyEvents {
  /** The SDK has a space at the end of the name. */
  "Microsoft.PolicyInsights.PolicyStateChanged": Sdk["Microsoft.PolicyInsights.PolicyStateChanged "];
}

type ImagePushed = Sdk["Microsoft.ContainerRegistry.ImagePushed"];
type ChartPushed = Sdk["Microsoft.ContainerRegistry.ChartPushed"];

/** The documented payloads lack what is optional here, a deletion also size and tag. */
interface ImageEvent
  extends WireForm<
    ImagePushed,
    {
      target: Pick<ImagePushed["target"], "mediaType" | "digest" | "repository"> &
        Partial<ImagePushed["target"]>;
      request: WireForm<ImagePushed["request"], { addr?: string }>;
      actor?: ImagePushed["actor"];
      source?: ImagePushed["source"];
      connectedRegistry?: ImagePushed["connectedRegistry"];
    }
  > {}

interface ChartEvent
  extends WireForm<ChartPushed, { connectedRegistry?: ChartPushed["connectedRegistry"] }> {}

interface RegistryEvents {
  "Microsoft.ContainerRegistry.ImagePushed": ImageEvent;
  "Microsoft.ContainerRegistry.ImageDeleted": ImageEvent;
  "Microsoft.ContainerRegistry.ChartPushed": ChartEvent;
  "Microsoft.ContainerRegistry.ChartDeleted": ChartEvent;
}

type ResourceManagerType = Extract<keyof Sdk, `Microsoft.Resources.${string}`>;

/** Not every operation has an HTTP request, and none names its resource group, unlike in the SDK. */
type ResourceManagerEvents = {
  [Name in ResourceManagerType]: WireForm<
    Sdk[Name],
    { resourceGroup?: string; httpRequest?: Sdk[Name]["httpRequest"] }
  >;
};

type PlanUpdated = Sdk["Microsoft.Web.AppServicePlanUpdated"];

/** The slots of a swap, which the SDK lacks. */
type SlotSwapEvents = {
  [Name in Extract<keyof Sdk, `Microsoft.Web.SlotSwap${string}`>]: WireForm<
    Sdk[Name],
    { appEventTypeDetail: null; sourceSlot: string; targetSlot: string }
  >;
};

interface AppServiceEvents extends SlotSwapEvents {
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

type SdkOutput = Extract<
  Sdk["Microsoft.Media.JobFinished"]["outputs"][number],
  { assetName: string }
>;

/** An output of a job. */
interface JobOutput
  extends WireForm<
    Renamed<SdkOutput, { odataType: "@odata.type" }>,
    { error?: SdkOutput["error"] | null }
  > {}

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

type Notification<Name extends keyof Sdk> = Renamed<
  Sdk[Name],
  { resourceDetails: "resourceInfo"; operationalDetails: "operationalInfo" }
>;

interface ResourceNotificationEvents {
  "Microsoft.ResourceNotifications.ContainerServiceEventResources.ScheduledEventEmitted": Notification<"Microsoft.ResourceNotifications.ContainerServiceEventResources.ScheduledEventEmitted">;
  "Microsoft.ResourceNotifications.HealthResources.AvailabilityStatusChanged": Notification<"Microsoft.ResourceNotifications.HealthResources.AvailabilityStatusChanged">;
  "Microsoft.ResourceNotifications.HealthResources.ResourceAnnotated": Notification<"Microsoft.ResourceNotifications.HealthResources.ResourceAnnotated">;
  "Microsoft.ResourceNotifications.Resources.CreatedOrUpdated": Notification<"Microsoft.ResourceNotifications.Resources.CreatedOrUpdated">;
  "Microsoft.ResourceNotifications.Resources.Deleted": Notification<"Microsoft.ResourceNotifications.Resources.Deleted">;
}

/** Single events of further services that the SDK declares differently from the wire. */
export interface OtherServicesEvents
  extends GatewayTokenEvents,
    AppServiceEvents,
    MediaEvents,
    ResourceNotificationEvents,
    PolicyEvents,
    EventStreamingEvents,
    RegistryEvents,
    ResourceManagerEvents {}
