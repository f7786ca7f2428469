/**
 * Validates props: literals when the stack is synthesized, tokens by preconditions when Terraform
 * plans, both by the same checks. The checks of a prop are defined next to its feature.
 */
export {
  boolean,
  booleanOr,
  type Check,
  type Checks,
  listOf,
  literal,
  nonEmptyString,
  optionProblems,
  problem,
  problemsOf,
  type Rule,
  recordOf,
  required,
  unchecked,
  uuidRule,
  wrongType,
} from "cloud-eventgrid-binding-runtime/contract";
export { group, provider, repeated } from "./checks.js";
export { unlessSensitive } from "./preconditions.js";
export { type Findings, named, report, reportedBy, type Validated, validated } from "./validate.js";
