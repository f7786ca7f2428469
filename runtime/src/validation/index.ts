/**
 * Checks of configuration values, and the problems that they report. Everything that validates a
 * configuration builds on this folder, in the runtime and in the construct library.
 */

export * from "./common-rules.js";
export * from "./composite-checks.js";
export { misspeltNames, nearName, unknownNames } from "./misspelt-name.js";
export {
  type Completed,
  checkOf,
  type OptionTable,
  withDefaults,
} from "./options.js";
export { ConfigurationError, type Problem, problem } from "./problem.js";
export {
  anyOf,
  choiceRule,
  integerRule,
  numberRule,
  patternRule,
  predicateRule,
  type Rule,
} from "./rule.js";
export { showValue } from "./show-value.js";
