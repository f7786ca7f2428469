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

type NotificationNames = Record<
  Extract<keyof Sdk, `Microsoft.ResourceNotifications.${string}`>,
  { resourceDetails: "resourceInfo"; operationalDetails: "operationalInfo" }
>;

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

/** The events of further services that the SDK lacks or declares differently from the wire. */
export interface OtherServicesEvents
  extends SlotSwapEvents,
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
  "Microsoft.ContainerRegistry.ImagePushed": ImageEvent;
  "Microsoft.ContainerRegistry.ImageDeleted": ImageEvent;
  "Microsoft.ContainerRegistry.ChartPushed": ChartEvent;
  "Microsoft.ContainerRegistry.ChartDeleted": ChartEvent;
  /** The SDK has a space at the end of the name. */
  "Microsoft.PolicyInsights.PolicyStateChanged": Sdk["Microsoft.PolicyInsights.PolicyStateChanged "];
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
