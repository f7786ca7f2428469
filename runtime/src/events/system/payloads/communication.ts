import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { Renamed, WireForm } from "./wire-form.js";

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

type JobQueued = Sdk["Microsoft.Communication.RouterJobQueued"];
type SdkSelector = JobQueued["attachedWorkerSelectors"][number];

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

type CallEnded = Sdk["Microsoft.Communication.CallEnded"];

/** The events with metadata of a chat, such as its topic. */
type ChatEvents = {
  [Name in `Microsoft.Communication.Chat${
    | "ThreadCreated"
    | "ThreadCreatedWithUser"
    | "ThreadPropertiesUpdated"
    | "ThreadPropertiesUpdatedPerUser"}`]: WireForm<
    Sdk[Name],
    { properties: Record<string, unknown> }
  >;
};

/** The events of Communication Services that the SDK declares differently from the wire. */
export interface CommunicationEvents extends ChatEvents {
  "Microsoft.Communication.AdvancedMessageDeliveryStatusUpdated": Renamed<
    Sdk["Microsoft.Communication.AdvancedMessageDeliveryStatusUpdated"],
    { channelKind: "channelType" }
  >;
  "Microsoft.Communication.AdvancedMessageReceived": Message;
  "Microsoft.Communication.CallEnded": WireForm<
    CallEnded,
    { endedBy: Renamed<CallEnded["endedBy"], { kind: "type" }> }
  >;
  "Microsoft.Communication.EmailEngagementTrackingReportReceived": Renamed<
    Sdk["Microsoft.Communication.EmailEngagementTrackingReportReceived"],
    { engagement: "engagementType" }
  >;
  "Microsoft.Communication.IncomingCall": Renamed<
    Sdk["Microsoft.Communication.IncomingCall"],
    { toCommunicationIdentifier: "to"; fromCommunicationIdentifier: "from" }
  >;
  "Microsoft.Communication.RouterJobClassificationFailed": WireForm<
    Sdk["Microsoft.Communication.RouterJobClassificationFailed"],
    { errors: ClassificationError[] }
  >;
  "Microsoft.Communication.RouterJobClassified": WireForm<
    Sdk["Microsoft.Communication.RouterJobClassified"],
    { attachedWorkerSelectors: WorkerSelector[] }
  >;
  "Microsoft.Communication.RouterJobQueued": WireForm<
    JobQueued,
    { attachedWorkerSelectors: WorkerSelector[]; requestedWorkerSelectors: WorkerSelector[] }
  >;
  "Microsoft.Communication.RouterJobReceived": WireForm<
    Sdk["Microsoft.Communication.RouterJobReceived"],
    { requestedWorkerSelectors?: WorkerSelector[] }
  >;
  "Microsoft.Communication.RouterJobSchedulingFailed": WireForm<
    Sdk["Microsoft.Communication.RouterJobSchedulingFailed"],
    Expired
  >;
  "Microsoft.Communication.RouterJobWaitingForActivation": WireForm<
    Sdk["Microsoft.Communication.RouterJobWaitingForActivation"],
    Expired
  >;
  /** The SDK calls it `RouterJobWorkerSelectorsExpire`. */
  "Microsoft.Communication.RouterJobWorkerSelectorsExpired": WireForm<
    Sdk["Microsoft.Communication.RouterJobWorkerSelectorsExpire"],
    Expired
  >;
}
