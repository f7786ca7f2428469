export { createListener, type Listener } from "./create-listener.js";
export { createWebhook, ListenerStartError, type WebhookEndpoint } from "./create-webhook.js";
export type { WebRequest } from "./exchange.js";
export type {
  AuthenticationSettings,
  HandshakeSettings,
  ListenerLimits,
  ListenerOptions,
  WebhookOptions,
} from "./options.js";
