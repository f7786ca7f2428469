export {
  type CheckedWebhook,
  checkAddedWebhook,
  checkEndpoint,
  checkServer,
  checkWebhook,
} from "./check.js";
export {
  type AuthenticationSettings,
  type BindingOptions,
  type HandshakeSettings,
  type HealthPaths,
  healthPaths,
  type ListenerLimits,
  type ListenerOptions,
  type LoggerOption,
  type PinoLogger,
  type PinoOptions,
  type SubscriptionEnd,
  type WebhookEndpointOptions,
  type WebhookOptions,
  type WebhookSettings,
} from "./settings.js";
