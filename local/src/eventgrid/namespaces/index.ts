export {
  dataRoute,
  type PublishedEvent as NamespaceEvent,
  structured as readRoutedEvent,
} from "./data-plane/index.js";
export {
  Namespace,
  type NamespaceTopics,
  type NewNamespace,
  namespaceSchema,
} from "./namespace.js";
export { NamespaceTopic, type NewNamespaceTopic } from "./namespace-topic.js";
export { Namespaces, namespaceTopicAt, Routing } from "./routing.js";
export {
  EventQueue,
  type LockResult,
  type NamespaceFilter,
  type NamespaceSubscription,
  type NamespaceSubscriptionSettings,
  type NamespaceSubscriptionState,
  type NamespaceSubscriptions,
  type NamespaceWebhook,
  type NewNamespaceSubscription,
  namespaceDeadLetters,
  pushSubscription,
  type QueueCounts,
  type QueueServices,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./subscriptions/index.js";
