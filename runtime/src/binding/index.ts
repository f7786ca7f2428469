export * from "./cloud-environment.js";
export * from "./props.js";
export * from "./runtime-binding.js";
