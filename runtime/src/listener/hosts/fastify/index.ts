export { DELIVERY_HEADER_BYTES } from "./header-limit.js";
export { type EventGridWebhooks, eventGridWebhook, mount } from "./plugin.js";
