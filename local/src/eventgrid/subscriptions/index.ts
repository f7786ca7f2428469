export * from "./delivery-properties.js";
export {
  type DeliveryOptions,
  type DeliverySettings,
  destinationOf,
  inAccount,
  noTarget,
  type Properties,
  rangeProblems,
  targetIn,
  targetProblems,
} from "./delivery-settings.js";
export { EventSubscriptions } from "./event-subscriptions.js";
export * from "./handshake.js";
export {
  ALTERNATIVES,
  deadLetterIn,
  deadLetterProblems,
  type EventSubscriptionSettings,
  expirationProblems,
  identityExclusions,
  type NewEventSubscription,
  type RetryLimits,
} from "./settings.js";
export { subscriptionSchema } from "./subscription-rules.js";
export * from "./subscription-store.js";
