export { type EventGridWebhooks, eventGridWebhook } from "./plugin.js";
