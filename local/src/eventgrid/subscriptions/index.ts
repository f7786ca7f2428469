export { defaultTypesOf, knownTypesOf, withDefaultTypes } from "./default-event-types.js";
export {
  type DeliveryHeader,
  deliveryPropertyHeaders,
  deliveryPropertyProblems,
} from "./delivery-properties.js";
export {
  batchingOption,
  batchingProblems,
  type DeliveryOptions,
  type DeliverySettings,
  deliveryProperties,
  mappingOf,
  NO_BATCHING,
  type OutputBatching,
  type Properties,
  partOf,
  webhookTarget,
  withoutNulls,
} from "./delivery-settings.js";
export { EventSubscriptions } from "./event-subscriptions.js";
export { type Handshake, Handshakes, ORIGIN } from "./handshake.js";
export {
  type DeadLetterDestination,
  deadLetterDestination,
  type EventSubscriptionSettings,
  type NewEventSubscription,
  type RetryLimits,
} from "./settings.js";
export {
  checkFunctionApp,
  checkWebhookApplication,
  subscriptionSchema,
} from "./subscription-rules.js";
export {
  type Deliverer,
  type EventSubscription,
  isWebhookSubscription,
  SubscriptionStore,
  type WebhookSubscription,
} from "./subscription-store.js";
