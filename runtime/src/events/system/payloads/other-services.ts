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
type Operation<Name extends ResourceManagerType> = WireForm<
  Sdk[Name],
  { resourceGroup?: string; httpRequest?: Sdk[Name]["httpRequest"] }
>;

interface ResourceManagerEvents {
  "Microsoft.Resources.ResourceWriteSuccess": Operation<"Microsoft.Resources.ResourceWriteSuccess">;
  "Microsoft.Resources.ResourceWriteFailure": Operation<"Microsoft.Resources.ResourceWriteFailure">;
  "Microsoft.Resources.ResourceWriteCancel": Operation<"Microsoft.Resources.ResourceWriteCancel">;
  "Microsoft.Resources.ResourceDeleteSuccess": Operation<"Microsoft.Resources.ResourceDeleteSuccess">;
  "Microsoft.Resources.ResourceDeleteFailure": Operation<"Microsoft.Resources.ResourceDeleteFailure">;
  "Microsoft.Resources.ResourceDeleteCancel": Operation<"Microsoft.Resources.ResourceDeleteCancel">;
  "Microsoft.Resources.ResourceActionSuccess": Operation<"Microsoft.Resources.ResourceActionSuccess">;
  "Microsoft.Resources.ResourceActionFailure": Operation<"Microsoft.Resources.ResourceActionFailure">;
  "Microsoft.Resources.ResourceActionCancel": Operation<"Microsoft.Resources.ResourceActionCancel">;
}

type PlanUpdated = Sdk["Microsoft.Web.AppServicePlanUpdated"];

/** The slots of a swap, which the SDK lacks. */
type SlotSwap<Name extends keyof Sdk> = WireForm<
  Sdk[Name],
  { appEventTypeDetail: null; sourceSlot: string; targetSlot: string }
>;

interface AppServiceEvents {
  "Microsoft.Web.SlotSwapCompleted": SlotSwap<"Microsoft.Web.SlotSwapCompleted">;
  "Microsoft.Web.SlotSwapFailed": SlotSwap<"Microsoft.Web.SlotSwapFailed">;
  "Microsoft.Web.SlotSwapStarted": SlotSwap<"Microsoft.Web.SlotSwapStarted">;
  "Microsoft.Web.SlotSwapWithPreviewCancelled": SlotSwap<"Microsoft.Web.SlotSwapWithPreviewCancelled">;
  "Microsoft.Web.SlotSwapWithPreviewStarted": SlotSwap<"Microsoft.Web.SlotSwapWithPreviewStarted">;

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

interface Output {
  output: JobOutput;
}

interface Outputs {
  outputs: JobOutput[];
}

interface MediaEvents {
  "Microsoft.Media.JobCanceled": WireForm<Sdk["Microsoft.Media.JobCanceled"], Outputs>;
  "Microsoft.Media.JobErrored": WireForm<Sdk["Microsoft.Media.JobErrored"], Outputs>;
  "Microsoft.Media.JobFinished": WireForm<Sdk["Microsoft.Media.JobFinished"], Outputs>;
  "Microsoft.Media.JobOutputCanceled": WireForm<Sdk["Microsoft.Media.JobOutputCanceled"], Output>;
  "Microsoft.Media.JobOutputCanceling": WireForm<Sdk["Microsoft.Media.JobOutputCanceling"], Output>;
  "Microsoft.Media.JobOutputErrored": WireForm<Sdk["Microsoft.Media.JobOutputErrored"], Output>;
  "Microsoft.Media.JobOutputFinished": WireForm<Sdk["Microsoft.Media.JobOutputFinished"], Output>;
  "Microsoft.Media.JobOutputProcessing": WireForm<
    Sdk["Microsoft.Media.JobOutputProcessing"],
    Output
  >;
  "Microsoft.Media.JobOutputScheduled": WireForm<Sdk["Microsoft.Media.JobOutputScheduled"], Output>;
  "Microsoft.Media.JobOutputStateChange": WireForm<
    Sdk["Microsoft.Media.JobOutputStateChange"],
    Output
  >;
}

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
    RegistryEvents,
    ResourceManagerEvents {}
