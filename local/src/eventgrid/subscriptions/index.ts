export * from "./delivery-properties.js";
export {
  anyNumber,
  type DeliveryOptions,
  type DeliverySettings,
  destinationOf,
  destinationOfType,
  NO_BATCHING,
  type OutputBatching,
  type Properties,
  partOf,
  rangeProblems,
  targetProblems,
  withoutNulls,
} from "./delivery-settings.js";
export { EventSubscriptions } from "./event-subscriptions.js";
export * from "./handshake.js";
export {
  type DeadLetterDestination,
  deadLetterProblems,
  deadLetterProperty,
  deadLetterWithIdentity,
  type EventSubscriptionSettings,
  expirationProblems,
  type NewEventSubscription,
  type RetryLimits,
  settingOptions,
} from "./settings.js";
export { subscriptionSchema } from "./subscription-rules.js";
export * from "./subscription-store.js";
