export { dataRoute } from "./data-route.js";
export { namespaceDeadLetters } from "./dead-letter.js";
export {
  EventQueue,
  type FailedLockToken,
  type LockResult,
  type QueueCounts,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./event-queue.js";
export {
  Namespace,
  type NamespaceTopics,
  type NewNamespace,
  namespaceSchema,
} from "./namespace.js";
export type {
  NamespaceSubscription,
  NamespaceSubscriptionState,
} from "./namespace-subscription.js";
export type { NamespaceSubscriptions } from "./namespace-subscriptions.js";
export type { NamespaceTopic, NewNamespaceTopic } from "./namespace-topic.js";
export { Namespaces } from "./namespaces.js";
export type { NamespaceFilter, NewNamespaceSubscription } from "./new-subscription.js";
export { pushSubscription } from "./push.js";
export type { PublishedEvent as NamespaceEvent } from "./received-form.js";
export { checkTopicExists, route } from "./routing.js";
export type { NamespaceSubscriptionSettings, NamespaceWebhook } from "./settings.js";
