/** A binding as environment variables, which the construct writes and the running service reads. */
export {
  type BindingEnvironment,
  type BindingEnvironmentOptions,
  bindingEnvironment,
  environmentOf,
} from "./binding-environment.js";
export { bindingFromEnvironment, type EnvironmentOptions } from "./binding-from-environment.js";
export {
  namespaceTopicEnvironment,
  namespaceTopicFromEnvironment,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
} from "./namespace-environment.js";
