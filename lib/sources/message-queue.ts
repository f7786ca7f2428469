import { type MessageQueueEvents, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { SubjectFilter } from "../subscription/index.js";
import type { All } from "../validation/index.js";
import type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";
import { exactly, SourceDraft } from "./source-draft.js";

type MessageQueueType = keyof MessageQueueEvents;

/** A namespace of Service Bus, with what decides whether it raises events. */
export type ServiceBusNamespaceSource = SourceResource<{ readonly skuInput?: string | undefined }>;

/** What of a namespace's events is received. */
export type MessageQueueOptions = EventSourceOptions<MessageQueueType> & MessageQueueEntity;

/** Which queue, topic or topic's subscription the events are about. */
export type MessageQueueEntity =
  | {
      /**
       * Queue that messages wait in.
       *
       * @default any queue, topic and subscription
       */
      readonly queue?: SourcePart;
      readonly topic?: never;
      readonly subscription?: never;
    }
  | {
      readonly queue?: never;
      /** Topic that messages were sent to. */
      readonly topic: SourcePart;
      /**
       * The topic's subscription that messages wait in.
       *
       * @default any subscription of the topic
       */
      readonly subscription?: SourcePart;
    };

/**
 * The events of a message queue (Service Bus), for its binding and for pub/sub with topics or queues:
 * messages are waiting. They tell that there are some, and neither how many nor which.
 *
 * - Only a namespace of the Premium tier raises events.
 * - The events `…WithNoListeners` come only while nobody receives: a service that keeps a receiver
 *   open never sees them. The `…PeriodicNotifications` come every 30 seconds as long as
 *   messages wait, whoever receives.
 * - Names that do not apply are `null`: `queueName` in the event of a topic's subscription.
 *
 * @throws {EventSourceError} for a namespace that would never raise them, and names that fit nothing
 */
export function messageQueue(
  namespace: ServiceBusNamespaceSource,
  options: MessageQueueOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, namespace, options);
  const types = draft.chosen(options.events) ?? kind.types;
  const sku = typeof namespace === "string" ? undefined : namespace.skuInput;
  draft.refuseIf(
    sku === "Basic" || sku === "Standard",
    `a namespace of the "${sku}" tier raises no events: it takes "Premium"`,
  );
  return draft.finish(types, subjectOf(draft, options));
}

const kind = {
  resource: "namespace of Service Bus",
  resourceType: "Microsoft.ServiceBus/namespaces",
  terraformType: "azurerm_servicebus_namespace",
  types: systemEventTypes.messageQueue,
  options: {
    events: true,
    queue: true,
    topic: true,
    subscription: true,
  } satisfies All<MessageQueueOptions>,
};

function subjectOf(
  draft: SourceDraft<MessageQueueType>,
  { queue, topic, subscription }: MessageQueueEntity,
): SubjectFilter | undefined {
  draft.refuseIf(
    queue !== undefined && topic !== undefined,
    "queue and topic exclude each other: give one of the two",
  );
  draft.refuseIf(
    subscription !== undefined && topic === undefined,
    "subscription needs a topic: a subject names the topic before the subscription",
  );
  if (queue !== undefined) return exactly(`queues/${draft.nameOf(queue, "queue")}`);
  if (topic === undefined) return undefined;
  const subscriptions = `topics/${draft.nameOf(topic, "topic")}/subscriptions/`;
  if (subscription === undefined) return { beginsWith: subscriptions };
  return exactly(`${subscriptions}${draft.nameOf(subscription, "subscription")}`);
}
