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
export {
  type NamespaceFilter,
  type NewNamespaceSubscription,
  namespaceSubscriptionSchema,
} from "./new-subscription.js";
export type { LockResult, QueueCounts, ReceivedEvent, ReceiveOptions } from "./queued-events.js";
export {
  type NamespaceSubscriptionSettings,
  type NamespaceWebhook,
  nameProblems,
} from "./settings.js";
