/** The webhook as a plugin of your own Fastify app. Only this entry point declares Fastify's types. */
export {
  type EventGridWebhookOptions,
  type EventGridWebhooks,
  eventGridWebhook,
} from "../listener/fastify/index.js";
