/** Parses the props of a binding, and the binding of a service, each once: what is valid, and its normal form. */
export * from "./parse.js";
export { fieldProblems, type ValidationOptions } from "./problems.js";
export * from "./service-binding.js";
