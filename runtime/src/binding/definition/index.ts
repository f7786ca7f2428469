/** The definition of a binding: what is valid, and its normal form. */
export { parseBinding, type ResolvedBinding, resolveBinding, validateBinding } from "./parse.js";
export { fieldProblems, type ValidationOptions } from "./problems.js";
export { parseServiceBinding, type ServiceBinding } from "./service-binding.js";
