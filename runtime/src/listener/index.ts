export { type Clock, systemClock } from "../clock.js";
export type { TelemetryProviders } from "../instrumentation.js";
export { ListenerConfigurationError } from "./configuration-error.js";
export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
} from "./deduplication.js";
export type { EventContext, EventHandler, VerifiedCaller } from "./event-context.js";
export { defineHandlers, type EventHandlers } from "./handlers.js";
export type { HealthPaths } from "./health.js";
export type { ReceivingBinding } from "./listener-binding.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export { type EventGridWebhooks, eventGridWebhook } from "./plugin.js";
export { RejectEvent } from "./reject-event.js";
export {
  createListener,
  type Listener,
  type ListenerAddress,
  type ListenerOptions,
} from "./server.js";
export type {
  AuthenticationSettings,
  HandshakeSettings,
  LimitSettings,
  SubscriptionEnd,
  WebhookOptions,
  WebhookSettings,
} from "./settings.js";
export { ListenerStartError } from "./start-error.js";
