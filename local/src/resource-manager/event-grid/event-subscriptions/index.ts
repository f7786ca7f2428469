export {
  deliveryAttributes,
  fullUrlOf,
  shownNamespaceSubscription,
} from "./event-subscription-answer.js";
export { addEventSubscriptionLists } from "./event-subscription-lists.js";
export {
  EVENT_SUBSCRIPTION_TYPE,
  eventSubscriptionResources,
  getEventSubscription,
} from "./event-subscriptions.js";
export { requireSecureWebhookRoles } from "./writer-rights.js";
export {
  deadLetterProblem,
  deliveryProblem,
  namespaceDeadLetterProblem,
  requireNamespaceResources,
} from "./writer-rules.js";
