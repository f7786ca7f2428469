export { dataRoute, structured as readRoutedEvent } from "./data-plane/index.js";
export { namespaceDeadLetters } from "./dead-letter.js";
export { EventQueue, type QueueServices } from "./event-queue.js";
export * from "./locks.js";
export * from "./namespace.js";
export * from "./namespace-subscription.js";
export * from "./namespace-subscriptions.js";
export * from "./namespaces.js";
export * from "./routing.js";
export type {
  NamespaceFilter,
  NamespaceSubscriptionSettings,
  NamespaceWebhook,
  NewNamespaceSubscription,
} from "./settings.js";
