export { FastifyExchange } from "./fastify-exchange.js";
export { type EventGridWebhooks, eventGridWebhook } from "./plugin.js";
