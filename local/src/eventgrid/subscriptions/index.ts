export { mappingOf } from "./code-properties.js";
export {
  type DeliveryProperty,
  deliveryPropertyHeaders,
  deliveryPropertyProblems,
} from "./delivery-properties.js";
export {
  type DeadLetterDestination,
  type EventSubscription,
  type EventSubscriptionSettings,
  isWebhookSubscription,
  type NewEventSubscription,
  type OutputBatching,
  type RetryPolicy,
  type WebhookSubscription,
} from "./event-subscription.js";
export { type Deliverer, EventSubscriptions } from "./event-subscriptions.js";
export {
  type Handshake,
  handshakeError,
  ORIGIN,
  REQUESTED_RATE,
  sendHandshake,
  withoutQuery,
} from "./handshake.js";
export { ManualValidations } from "./manual-validation.js";
export {
  deadLetterDestination,
  type Properties,
  partOf,
  webhookTarget,
  withoutNulls,
} from "./properties.js";
export {
  checkWebhookApplication,
  deliveryProperties,
  subscriptionSchema,
} from "./subscription-rules.js";
