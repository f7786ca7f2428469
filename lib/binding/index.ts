export * from "./binding.js";
export * from "./props.js";
export * from "./runtime-environment.js";
export * from "./wait-for.js";
