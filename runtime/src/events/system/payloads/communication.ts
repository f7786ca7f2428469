import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { ChangedEvents, Renamed, RenamedEvents, WireForm } from "./wire-form.js";

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
