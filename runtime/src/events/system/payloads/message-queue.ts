import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** The names of the queue or of the subscription that has messages; the others are `null`. */
interface Entity {
  queueName: string | null;
  topicName: string | null;
  subscriptionName: string | null;
}

/** Messages are waiting in a queue or in a topic's subscription. */
export interface MessagesAvailable
  extends WireForm<Sdk["Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners"], Entity> {}

/** Messages are waiting in the dead-letter queue of a queue or of a topic's subscription. */
export interface DeadletterMessagesAvailable
  extends WireForm<
    Sdk["Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners"],
    Entity
  > {}

/** The events of a Service Bus namespace, of which the SDK lacks the periodic ones. */
export interface MessageQueueEvents {
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": DeadletterMessagesAvailable;
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": DeadletterMessagesAvailable;
}
