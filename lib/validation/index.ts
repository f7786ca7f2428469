/**
 * Validates props when the stack is synthesized. Tokens pass: what Terraform knows later is checked by
 * the providers. The checks of a prop are defined next to its feature.
 */
export * from "./checks.js";
export * from "./validate.js";
