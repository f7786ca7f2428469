/**
 * Rules for configuration values, and the problems that breaking them causes. Everything that
 * validates a configuration builds on this folder, in the runtime and in the construct library.
 */
export { misspeltNames, nearName, unknownNames } from "./misspelt-name.js";
export * from "./options.js";
export { ConfigurationError, type Problem } from "./problem.js";
export {
  anyOf,
  choiceRule,
  integerRule,
  numberRule,
  patternRule,
  predicateRule,
  problemOf,
  type Rule,
} from "./rule.js";
export { showValue } from "./show-value.js";
