export {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  type Lease,
  MemoryDeduplication,
  type MemoryDeduplicationOptions,
  type SettledLease,
} from "../deduplication/index.js";
export {
  defineHandlers,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  RejectEvent,
  type VerifiedCaller,
} from "../handling/index.js";
export type { TelemetryProviders } from "../instrumentation.js";
export { ListenerConfigurationError, ListenerStartError } from "../listener-errors.js";
export type { Log } from "../log.js";
export type { Clock } from "../time.js";
export { createWebhook, type WebhookEndpoint } from "./create-webhook.js";
export type { WebRequest } from "./hosts/index.js";
export { createListener, type Listener, type ListenerAddress } from "./server/index.js";
export type {
  AuthenticationSettings,
  HandshakeSettings,
  HealthPaths,
  ListenerLimits,
  ListenerOptions,
  SubscriptionEnd,
  WebhookOptions,
} from "./settings/index.js";
