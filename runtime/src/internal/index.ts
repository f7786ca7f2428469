/**
 * What the construct library and the command line share with the runtime, so that all three agree on
 * what a binding is: its fields, their rules, Azure's limits, and the checks that report problems.
 * The repository's own: it may change with every release, and packages of one release depend on each
 * other exactly. It loads no HTTP client.
 */

export {
  AZURE_LIMITS,
  anchored,
  type BindingEnvironment,
  type BindingField,
  type BindingProps,
  bindingEnvironment,
  bindingFields,
  bindingFromEnvironment,
  type CloudEnvironmentName,
  cloudEnvironments,
  DEFAULT_EVENTS_PATH,
  type Direction,
  defaultSubscriptionName,
  definitionFields,
  environmentOf,
  eventsUrl,
  existingSubscriptionNameRule,
  formatScope,
  type InputBindingProps,
  type InputOutputBindingProps,
  IPV4,
  isLoopback,
  namespaceNameRule,
  namespaceTopicEnvironment,
  type OutputBindingProps,
  type PullRuntimeBinding,
  parseBinding,
  parseScope,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
  type ResolvedBinding,
  type RuntimeBinding,
  receiveLockRule,
  type Scope,
  SECURE_WEBHOOK_ROLE,
  subscriptionNameRule,
  uuidRule,
} from "../binding/index.js";
export { ConfigurationError, type Problem, problem } from "../errors.js";
export { environmentProxy } from "../network.js";
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
