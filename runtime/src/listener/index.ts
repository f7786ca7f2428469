export { createWebhook, ListenerStartError, type WebhookEndpoint } from "./create-webhook.js";
export type { WebRequest } from "./hosts/index.js";
export { createListener, type Listener } from "./server/index.js";
export type {
  AuthenticationSettings,
  HandshakeSettings,
  HealthPaths,
  ListenerLimits,
  ListenerOptions,
  SubscriptionEnd,
  WebhookOptions,
} from "./settings/index.js";
