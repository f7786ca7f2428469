/** The rules of a binding's fields, and Azure's limits. */

export { DEFAULT_EVENTS_PATH, eventsUrl, isLoopback, webhookPath } from "./events-url.js";
export {
  type BindingField,
  bindingRules,
  environmentPrefixRule,
  existingSubscriptionNameRule,
  uuidRule,
} from "./field-rules.js";
export { AZURE_LIMITS } from "./limits.js";
export * from "./scope.js";
