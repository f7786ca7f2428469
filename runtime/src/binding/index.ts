/** The contract between the construct and the runtime: the definition of a binding. */
export {
  type CloudEnvironment,
  type CloudEnvironmentName,
  cloudEnvironments,
  SECURE_WEBHOOK_ROLE,
} from "./cloud-environment.js";
export {
  type BindingEnvironment,
  type BindingEnvironmentOptions,
  bindingEnvironment,
  bindingFromEnvironment,
  type EnvironmentOptions,
  namespaceTopicEnvironment,
  namespaceTopicFromEnvironment,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
} from "./environment/index.js";
export { type ValidationOptions, validateBinding } from "./parsing/index.js";
export type {
  BindingProps,
  Direction,
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
  PublishWith,
} from "./props.js";
export type {
  InputRuntimeBinding,
  NamespaceTopicRuntimeBinding,
  OutputRuntimeBinding,
  PullRuntimeBinding,
  RuntimeBinding,
} from "./runtime-binding.js";
