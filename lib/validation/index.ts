/**
 * Validates props: literals when the stack is synthesized, tokens by preconditions when Terraform
 * plans, both by the same checks. The checks of a prop are defined next to its feature.
 */
export * from "./checks.js";
export * from "./preconditions.js";
export * from "./validate.js";
