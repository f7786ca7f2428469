import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** The names of the queue or of the subscription that has messages; the others are `null`. */
interface Entity {
  queueName: string | null;
  topicName: string | null;
  subscriptionName: string | null;
}

type Available = WireForm<
  Sdk["Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners"],
  Entity
>;
type DeadLettersAvailable = WireForm<
  Sdk["Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners"],
  Entity
>;

/**
 * Messages are waiting in a queue or in a topic's subscription, or in its dead-letter queue. The SDK
 * lacks the periodic events.
 */
export interface MessageQueueEvents {
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": Available;
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": DeadLettersAvailable;
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": Available;
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": DeadLettersAvailable;
}
