import { family, partsOfSubject, type SampleOf } from "./system-event.js";

const FORM = /^(?:topics\/([^/]+)\/subscriptions\/([^/]+)|queues\/([^/]+))$/i;

const messages =
  (deadLetters: boolean): SampleOf =>
  (source) => {
    const subject = "topics/orders/subscriptions/billing";
    const [topicName, subscriptionName, queueName] = partsOfSubject(source, subject, FORM);
    const path = queueName ?? `${topicName}/subscriptions/${subscriptionName}`;
    return {
      subject,
      data: {
        namespaceName: source.name,
        requestUri: `https://${source.name}.servicebus.windows.net/${path}${deadLetters ? "/$deadletterqueue" : ""}/messages/head`,
        entityType: queueName === undefined ? "subscriber" : "queue",
        queueName: queueName ?? null,
        topicName: topicName ?? null,
        subscriptionName: subscriptionName ?? null,
      },
    };
  };

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
