export { FastifyExchange } from "./fastify-exchange.js";
export { type EventGridWebhooks, eventGridWebhook, mount } from "./plugin.js";
