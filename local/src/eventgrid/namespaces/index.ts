export { dataRoute, structured as readRoutedEvent } from "./data-plane/index.js";
export { namespaceDeadLetters } from "./dead-letter.js";
export { EventQueue, type QueueServices } from "./event-queue.js";
export type { LockResult, QueueCounts, ReceivedEvent, ReceiveOptions } from "./locks.js";
export {
  Namespace,
  type NamespaceTopics,
  type NewNamespace,
  namespaceSchema,
} from "./namespace.js";
export {
  type NamespaceSubscription,
  type NamespaceSubscriptionState,
  pushSubscription,
} from "./namespace-subscription.js";
export type { NamespaceSubscriptions } from "./namespace-subscriptions.js";
export { NamespaceTopic, type NewNamespaceTopic } from "./namespace-topic.js";
export { Namespaces, namespaceTopicAt, Routing } from "./routing.js";
export type {
  NamespaceFilter,
  NamespaceSubscriptionSettings,
  NamespaceWebhook,
  NewNamespaceSubscription,
} from "./settings.js";
