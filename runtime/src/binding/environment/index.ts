/** A binding as environment variables: how the construct hands it to the running service. */
export {
  type BindingEnvironment,
  type BindingEnvironmentOptions,
  bindingEnvironment,
} from "./binding-environment.js";
export { bindingFromEnvironment, type EnvironmentOptions } from "./binding-from-environment.js";
