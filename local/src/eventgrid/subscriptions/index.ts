export type {
  DeadLetterDestination,
  EventSubscription,
  EventSubscriptionSettings,
  NewEventSubscription,
  OutputBatching,
  ProvisioningState,
  RetryPolicy,
} from "./event-subscription.js";
export { EventSubscriptions, type Operation, type Precondition } from "./event-subscriptions.js";
export { type Handshake, handshakeError, ORIGIN, shakeHands, withoutQuery } from "./handshake.js";
export { checkWebhookApplication } from "./webhook-application.js";
