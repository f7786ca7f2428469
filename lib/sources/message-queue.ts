import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { SubjectFilter } from "../subscription/index.js";
import { unchecked } from "../validation/index.js";
import { exactly, SourceDraft } from "./draft.js";
import type {
  EventSource,
  EventSourceOptions,
  SourceEventType,
  SourcePart,
  SourceResource,
} from "./event-source.js";

/** A namespace of Service Bus, with the properties that decide whether it raises events. */
export type ServiceBusNamespaceSource = SourceResource<{ readonly skuInput?: string | undefined }>;

/** Options of {@link messageQueue}. */
export type MessageQueueOptions = EventSourceOptions<"messageQueue"> & MessageQueueEntity;

/** The queue, topic or topic's subscription that the events are about. */
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
 * The events of a message queue (Service Bus): messages are waiting. They do not say how many.
 *
 * - Only a namespace of the Premium tier raises events.
 * - The events `…WithNoListeners` are raised only while there is no receiver: a service that keeps a
 *   receiver open never gets them. The `…PeriodicNotifications` are raised every 30 seconds as long
 *   as messages wait.
 * - Names that do not apply are `null`, such as `queueName` in the event of a topic's subscription.
 *
 * @throws {EventSourceError} for a namespace that would never raise them, and contradictory names
 */
export function messageQueue(
  namespace: ServiceBusNamespaceSource,
  options: MessageQueueOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, namespace);
  const { events, ...entity } = draft.validate(options, {
    events: unchecked,
    queue: unchecked,
    topic: unchecked,
    subscription: unchecked,
  });
  const types = draft.chosen(events) ?? kind.types;
  const sku = typeof namespace === "string" ? undefined : namespace.skuInput;
  draft.refuseIf(
    sku === "Basic" || sku === "Standard",
    "resource",
    "silent-resource",
    `must be of the "Premium" tier, because a namespace of the "${sku}" tier raises no events`,
  );
  return draft.finish(types, subjectOf(draft, entity));
}

const kind = {
  resource: "namespace of Service Bus",
  resourceType: "Microsoft.ServiceBus/namespaces",
  types: systemEventTypes.messageQueue,
};

function subjectOf(
  draft: SourceDraft<SourceEventType<"messageQueue">>,
  { queue, topic, subscription }: MessageQueueEntity,
): SubjectFilter | undefined {
  draft.refuseIf(
    queue !== undefined && topic !== undefined,
    "queue",
    "exclusive",
    "and topic exclude each other: set one of the two",
  );
  draft.refuseIf(
    subscription !== undefined && topic === undefined,
    "subscription",
    "requires-topic",
    "needs a topic, because a subject names the topic before the subscription",
  );
  if (queue !== undefined) return exactly(`queues/${draft.nameOf(queue, "queue")}`);
  if (topic === undefined) return undefined;
  const subscriptions = `topics/${draft.nameOf(topic, "topic")}/subscriptions/`;
  if (subscription === undefined) return { beginsWith: subscriptions };
  return exactly(`${subscriptions}${draft.nameOf(subscription, "subscription")}`);
}
