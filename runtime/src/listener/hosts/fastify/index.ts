export {
  type EventGridWebhookOptions,
  type EventGridWebhooks,
  eventGridWebhook,
} from "./plugin.js";
