export { type BindingEnvironment, bindingEnvironment } from "./binding-environment.js";
export { bindingFromEnvironment, type EnvironmentOptions } from "./binding-from-environment.js";
export * from "./cloud-environment.js";
export type { DirectionOf } from "./direction.js";
export { DEFAULT_WEBHOOK_PATH, registeredEndpoint, webhookPath } from "./endpoint.js";
export { nearName } from "./near-name.js";
export { BindingConfigurationError, type BindingProblem, type BindingRule } from "./problem.js";
export * from "./props.js";
export { type ResolvedBinding, resolveBinding } from "./resolve.js";
export {
  formatScope,
  InvalidScopeError,
  parseScope,
  type ResourceGroupScope,
  type ResourceScope,
  type Scope,
  type SubscriptionScope,
  type TopicScope,
} from "./rules/index.js";
export * from "./runtime-binding.js";
export { type RuntimeBindingOptions, runtimeBinding } from "./runtime-projection.js";
export { isBindingProps, type ValidationOptions, validateBinding } from "./validate.js";
