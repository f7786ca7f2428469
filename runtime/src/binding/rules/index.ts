/** The rules of a binding's values, and Azure's limits. */

export { DEFAULT_EVENTS_PATH, eventsUrl, isLoopback, webhookPath } from "./events-url.js";
export * from "./field-rules.js";
export { AZURE_LIMITS } from "./limits.js";
export { anchored, IPV4 } from "./patterns.js";
export * from "./scope.js";
