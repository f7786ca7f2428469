export { type Clock, systemClock } from "../clock.js";
export type { TelemetryProviders } from "../instrumentation.js";
export type { VerifiedCaller } from "./authentication/index.js";
export {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  type Lease,
  MemoryDeduplication,
  type MemoryDeduplicationOptions,
  type Settlement,
  type StoreLog,
} from "./deduplication/index.js";
export { ListenerConfigurationError, ListenerStartError } from "./errors.js";
export {
  defineHandlers,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  RejectEvent,
} from "./handling/index.js";
export type { SubscriptionEnd } from "./intake/index.js";
export { type EventGridWebhooks, eventGridWebhook } from "./plugin.js";
export { createListener, type Listener, type ListenerAddress } from "./server/index.js";
export type {
  AuthenticationSettings,
  BindingOptions,
  HandshakeSettings,
  HealthPaths,
  LimitSettings,
  ListenerOptions,
  WebhookOptions,
  WebhookSettings,
} from "./settings/index.js";
