export { type DeliveryProperty, deliveryPropertyHeaders } from "./delivery-properties.js";
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
  sendHandshake,
  withoutQuery,
} from "./handshake.js";
export { ManualValidations } from "./manual-validation.js";
export { checkWebhookApplication, subscriptionSchema } from "./subscription-rules.js";
