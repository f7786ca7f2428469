export {
  type CheckedWebhook,
  checkAddedWebhook,
  checkEndpoint,
  checkServer,
  checkWebhook,
} from "./check.js";
export type {
  AuthenticationSettings,
  BindingOptions,
  HandshakeSettings,
  HealthPaths,
  ListenerLimits,
  ListenerOptions,
  SubscriptionEnd,
  WebhookEndpointOptions,
  WebhookOptions,
  WebhookSettings,
} from "./settings.js";
