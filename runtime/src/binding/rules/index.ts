/** What the values of a binding's fields must be, and the limits that Azure sets. */

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
