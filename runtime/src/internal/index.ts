/**
 * What the construct library and the command line share with the runtime, so that all three agree on
 * what a binding is: its fields, their rules, Azure's limits, and the checks that report problems.
 * The repository's own: it may change with every release, and packages of one release depend on each
 * other exactly. It loads no HTTP client.
 */

export * from "../binding/index.js";
export {
  ConfigurationError,
  type Problem,
  problem,
  type RuleName,
  statedProblem,
  type TextByRule,
} from "../errors.js";
export { environmentProxy } from "../network.js";
export { groupsOf, split, withoutEnd, withoutStart } from "../text.js";
export { DAY_MS, HOUR_MS, MIB, MINUTE_MS, MINUTES_OF_DAY, SECOND_MS } from "../units.js";
export * from "../validation/index.js";
export { azureRules, filterOperators } from "./azure-rules.js";
