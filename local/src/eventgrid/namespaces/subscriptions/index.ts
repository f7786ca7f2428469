export { namespaceDeadLetters } from "./dead-letter.js";
export { EventQueue, type QueueServices } from "./event-queue.js";
export {
  type NamespaceSubscription,
  type NamespaceSubscriptionState,
  pushSubscription,
} from "./namespace-subscription.js";
export {
  type NamespaceSubscriptionSnapshot,
  NamespaceSubscriptions,
  type SubscriptionServices,
} from "./namespace-subscriptions.js";
export type { LockResult, QueueCounts, ReceivedEvent, ReceiveOptions } from "./queued-events.js";
export {
  type NamespaceFilter,
  type NamespaceSubscriptionSettings,
  type NamespaceWebhook,
  type NewNamespaceSubscription,
  nameProblems,
  namespaceSubscriptionSchema,
} from "./settings.js";
