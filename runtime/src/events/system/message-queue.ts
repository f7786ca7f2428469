import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** Names that are `null` where the other kind of entity holds the messages. */
interface Entity {
  queueName: string | null;
  topicName: string | null;
  subscriptionName: string | null;
}

/** Messages that wait in a queue or a topic's subscription. */
export interface MessagesAvailable
  extends WireForm<Sdk["Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners"], Entity> {}

/** Messages that wait in the dead-letter queue of a queue or a topic's subscription. */
export interface DeadletterMessagesAvailable
  extends WireForm<
    Sdk["Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners"],
    Entity
  > {}

/** The events of a Service Bus namespace. The SDK does not list the periodic ones. */
export interface MessageQueueEvents {
  "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": DeadletterMessagesAvailable;
  "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": MessagesAvailable;
  "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": DeadletterMessagesAvailable;
}
