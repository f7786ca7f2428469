export * from "./delivery-properties.js";
export {
  type DeliveryOptions,
  type DeliverySettings,
  destinationOf,
  NO_BATCHING,
  noTarget,
  type OutputBatching,
  type Properties,
  rangeProblems,
  targetIn,
  targetProblems,
} from "./delivery-settings.js";
export { EventSubscriptions } from "./event-subscriptions.js";
export * from "./handshake.js";
export {
  type DeadLetterDestination,
  deadLetterIn,
  deadLetterProblems,
  deadLetterProperty,
  type EventSubscriptionSettings,
  expirationProblems,
  identityExclusions,
  type NewEventSubscription,
  type RetryLimits,
  settingOptions,
} from "./settings.js";
export { subscriptionSchema } from "./subscription-rules.js";
export * from "./subscription-store.js";
