export { CloudEventGridBinding } from "./binding.js";
export type {
  CloudEventGridBindingProps,
  InputProvisioningOptions,
  ProvisioningOptions,
} from "./props.js";
export {
  type ContainerAppEnvironment,
  type KubernetesEnvironment,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
} from "./runtime-environment.js";
export { WaitTargetError } from "./wait-for.js";
