export { type CheckedWebhook, checkWebhook } from "./check.js";
export {
  type AuthenticationSettings,
  type BoundOptions,
  type HandshakeSettings,
  type HealthPaths,
  KEY_TIMEOUT_MS,
  type ListenerLimits,
  type ListenerOptions,
  type ServerOptions,
  type SubscriptionEnd,
  serverSettings,
  type WebhookOptions,
  type WebhookSettings,
} from "./options.js";
