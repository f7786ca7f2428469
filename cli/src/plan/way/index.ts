/** The way from Event Grid to webhooks: what is on it, and what changes there. */
export { WebhookWays } from "./findings.js";
