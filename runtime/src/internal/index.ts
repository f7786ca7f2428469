/**
 * What the construct library and the command line share with the runtime, so that all three agree on
 * what a binding is: its fields, their rules, Azure's limits, and the checks that report problems.
 * The repository's own: it may change with every release, and packages of one release depend on each
 * other exactly. It loads no HTTP client.
 */

export { environmentOf } from "../binding/environment/index.js";
export { type BindingField, bindingFields, definitionFields } from "../binding/fields/index.js";
export {
  type BindingEnvironment,
  type BindingProps,
  bindingEnvironment,
  bindingFromEnvironment,
  type CloudEnvironmentName,
  cloudEnvironments,
  type Direction,
  type InputBindingProps,
  type InputOutputBindingProps,
  namespaceTopicEnvironment,
  type OutputBindingProps,
  type PullRuntimeBinding,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
  type RuntimeBinding,
  SECURE_WEBHOOK_ROLE,
} from "../binding/index.js";
export { parseBinding, type ResolvedBinding } from "../binding/parsing/index.js";
export {
  AZURE_LIMITS,
  anchored,
  DEFAULT_EVENTS_PATH,
  defaultSubscriptionName,
  eventsUrl,
  existingSubscriptionNameRule,
  formatScope,
  IPV4,
  isLoopback,
  namespaceNameRule,
  parseScope,
  receiveLockRule,
  type Scope,
  subscriptionNameRule,
  uuidRule,
} from "../binding/rules/index.js";
export { ConfigurationError, type Problem, problem } from "../errors.js";
export {
  boolean,
  type Check,
  type Checks,
  type Composite,
  choiceRule,
  either,
  type GroupChecks,
  group,
  integerRule,
  isObject,
  type ListChecks,
  listOf,
  nearName,
  nonEmptyString,
  patternRule,
  predicateRule,
  problemsOf,
  type Rule,
  required,
  showValue,
  unchecked,
  unknownTooLate,
  wrongType,
} from "../validation/index.js";
export { azureRules, filterOperators } from "./azure-rules.js";
