import { family, type SampleOf } from "./system-event.js";

const TOPIC = "orders";
const SUBSCRIPTION = "billing";

const messages =
  (deadLetters: boolean): SampleOf =>
  ({ name }) => ({
    subject: `topics/${TOPIC}/subscriptions/${SUBSCRIPTION}`,
    data: {
      namespaceName: name,
      requestUri: `https://${name}.servicebus.windows.net/${TOPIC}/subscriptions/${SUBSCRIPTION}${deadLetters ? "/$deadletterqueue" : ""}/messages/head`,
      entityType: "subscriber",
      queueName: null,
      topicName: TOPIC,
      subscriptionName: SUBSCRIPTION,
    },
  });

/** Premium namespaces of Service Bus. */
export const serviceBus = family({
  resourceType: "Microsoft.ServiceBus/namespaces",
  samples: {
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners": messages(false),
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners": messages(true),
    "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications": messages(false),
    "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications": messages(true),
  },
});
