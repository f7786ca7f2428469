/**
 * Validates props: literals when the stack is synthesized, tokens by preconditions when Terraform
 * plans, both by the same rules. The rules of a prop are defined next to its feature.
 */
export { repeated } from "./once.js";
export { preconditionsOf, unlessSensitive } from "./preconditions.js";
export {
  booleanRule,
  identityTypeRule,
  lengthRule,
  type PlanRule,
  resourceIdRule,
  textRule,
  timeRule,
  uuidRule,
} from "./rules.js";
export {
  type Findings,
  group,
  type Keys,
  listOf,
  literal,
  problem,
  provider,
  type RuleOrSpec,
  recordOf,
  required,
  type Spec,
  type Specs,
  switchOr,
  unchecked,
  validateProps,
  wrongType,
} from "./spec.js";
export { report, reportedBy, type Validated, validated } from "./validate.js";
