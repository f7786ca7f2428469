export { dataRoute, structured as readRoutedEvent } from "./data-plane/index.js";
export { namespaceDeadLetters } from "./dead-letter.js";
export * from "./locks.js";
export * from "./namespace.js";
export * from "./namespace-subscription.js";
export * from "./namespace-subscriptions.js";
export * from "./namespaces.js";
export { type QueueServices, QueueSubscriber } from "./queue-subscriber.js";
export * from "./routing.js";
export type {
  NamespaceFilter,
  NamespaceSubscriptionSettings,
  NamespaceWebhook,
  NewNamespaceSubscription,
} from "./settings.js";
