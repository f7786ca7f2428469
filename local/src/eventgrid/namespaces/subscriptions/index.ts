export { namespaceDeadLetters } from "./dead-letter.js";
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
export {
  EventQueue,
  type LockResult,
  type QueueCounts,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./queue/index.js";
export {
  type NamespaceSubscriptionSettings,
  type NamespaceWebhook,
  nameProblems,
} from "./settings.js";
