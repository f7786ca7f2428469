export { type Check, earlyProblems, noList, preconditionsOf, problemsOf } from "./check.js";
export { type GivenProps, givenProps, optionProblems } from "./given-props.js";
export { providerProblems } from "./given-providers.js";
export { listOnce, onceInAnyCase } from "./once.js";
export { unlessSensitive } from "./sensitive.js";
export { type All, type Keys, type Known, misspeltNames } from "./unknown-names.js";
export {
  booleanRule,
  bytesRule,
  choiceRule,
  identityTypeRule,
  integerRule,
  isObject,
  lengthRule,
  patternRule,
  received,
  resourceIdRule,
  textRule,
  timeRule,
  UUID_PATTERN,
  uuidRule,
  type ValueRule,
} from "./value-rule.js";
