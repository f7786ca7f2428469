/**
 * Validates props: literals when the stack is synthesized, tokens by preconditions when Terraform
 * plans, both by the same checks. The checks of a prop are defined next to its feature.
 */
export { provider, repeated } from "./checks.js";
export { unlessSensitive } from "./preconditions.js";
export { type Findings, named, report, reportedBy, type Validated, validated } from "./validate.js";
