export { namespaceDeadLetters } from "./dead-letter.js";
export { EventQueue } from "./event-queue.js";
export type {
  NamespaceSubscription,
  NamespaceSubscriptionState,
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
export { pushSubscription } from "./push.js";
export type { LockResult, QueueCounts, ReceivedEvent, ReceiveOptions } from "./queued-events.js";
export {
  type NamespaceSubscriptionSettings,
  type NamespaceWebhook,
  nameProblems,
} from "./settings.js";
