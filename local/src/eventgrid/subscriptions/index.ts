export { type DeliveryProperty, deliveryPropertyHeaders } from "./delivery-properties.js";
export type {
  DeadLetterDestination,
  EventSubscription,
  EventSubscriptionSettings,
  NewEventSubscription,
  OutputBatching,
  RetryPolicy,
} from "./event-subscription.js";
export { type Deliverer, EventSubscriptions } from "./event-subscriptions.js";
export { type Handshake, handshakeError, ORIGIN, shakeHands, withoutQuery } from "./handshake.js";
export { ManualValidations } from "./manual-validation.js";
export { checkWebhookApplication, subscriptionSchema } from "./subscription-rules.js";
