import { type Problem, statedProblem } from "../errors.js";
import { assertValid, type Check, choiceRule, group, objectWith } from "../validation/index.js";
import {
  type BindingVariables,
  bindingVariables,
  type Environment,
  invalidEnvironment,
  variableWording,
} from "./environment-variables.js";
import { bindingFields, namespaceTopicFields, pullFields } from "./field-table.js";
import { directionOfFields } from "./fields.js";
import { parseNamespaceTopic, parsePullBinding, parseServiceBinding } from "./parse.js";
import type {
  Direction,
  NamespaceTopicRuntimeBinding,
  PullRuntimeBinding,
  RuntimeBinding,
} from "./props.js";

/** How a binding is read from the environment. */
export interface EnvironmentOptions<D extends Direction = Direction> {
  /**
   * The directions that the service uses; variables that only the other one needs may be missing.
   *
   * @default "input, output"
   */
  readonly direction?: D | undefined;
  /** @default process.env */
  readonly env?: Environment | undefined;
}

const env = objectWith("must be an object of environment variables");
const onlyEnvironment = group<Pick<EnvironmentOptions, "env">>({ env });
const allOptions = group<EnvironmentOptions>({
  direction: choiceRule("input", "output", "input, output"),
  env,
});

/** @throws {ConfigurationError} before a variable is read: which are required depends on the options */
function checkOptions(options: object, check: Check): void {
  assertValid("The binding cannot be read from the environment", check, "", options);
}

/**
 * Reads a binding from the environment variables that `bindingEnvironment` writes.
 *
 * A service that uses one direction only sets `direction`; the environment may hold both.
 *
 * @example
 * ```ts
 * const binding = bindingFromEnvironment("ORDERS");
 * const incoming = bindingFromEnvironment("ORDERS", { direction: "input" });
 * ```
 *
 * @param prefix start of the variables' names, in upper snake case
 * @throws {ConfigurationError} with every variable that is missing or invalid
 */
export function bindingFromEnvironment<D extends Direction = "input, output">(
  prefix: string,
  options?: EnvironmentOptions<D>,
): RuntimeBinding<D>;
export function bindingFromEnvironment(
  prefix: string,
  options: EnvironmentOptions = {},
): RuntimeBinding {
  checkOptions(options, allOptions);
  const { direction: requested, env = process.env } = options;
  const variables = bindingVariables(prefix, env, bindingFields);
  const { values } = variables;
  const implied = directionOfFields(bindingFields, (field) => values[field] !== undefined);
  // Reading both directions is the default, so that a service with one has to name it.
  const own = values.direction ?? requested ?? implied;
  const direction = requested ?? "input, output";
  if ((own !== "input" && own !== "output") || own === direction) {
    return checked(variables, parseServiceBinding(values, direction, variableWording(variables)));
  }
  const binding = parseServiceBinding(values, own, variableWording(variables));
  const message =
    `this binding has only the direction "${own}": ` +
    `read it with bindingFromEnvironment("${prefix}", { direction: "${own}" })`;
  throw invalidEnvironment(variables, [
    statedProblem("direction", { direction: message }),
    ...(Array.isArray(binding) ? binding : []),
  ]);
}

/**
 * Reads a pull binding from the environment variables that `pullBindingEnvironment` writes.
 *
 * @example
 * ```ts
 * const receiver = createReceiver(pullBindingFromEnvironment("ORDERS"), { events: orders, on });
 * ```
 *
 * @param prefix start of the variables' names, in upper snake case
 * @throws {ConfigurationError} with every variable that is missing or invalid
 */
export function pullBindingFromEnvironment(
  prefix: string,
  options: Pick<EnvironmentOptions, "env"> = {},
): PullRuntimeBinding {
  checkOptions(options, onlyEnvironment);
  const variables = bindingVariables(prefix, options.env ?? process.env, pullFields);
  return checked(variables, parsePullBinding(variables.values, variableWording(variables)));
}

/**
 * Reads the topic of a namespace from the environment variables that `namespaceTopicEnvironment`
 * writes.
 *
 * @example
 * ```ts
 * const publisher = createPublisher(namespaceTopicFromEnvironment("ORDERS"), { events: orders });
 * ```
 *
 * @param prefix start of the variables' names, in upper snake case
 * @throws {ConfigurationError} with every variable that is missing or invalid
 */
export function namespaceTopicFromEnvironment(
  prefix: string,
  options: Pick<EnvironmentOptions, "env"> = {},
): NamespaceTopicRuntimeBinding {
  checkOptions(options, onlyEnvironment);
  const variables = bindingVariables(prefix, options.env ?? process.env, namespaceTopicFields);
  return checked(variables, parseNamespaceTopic(variables.values, variableWording(variables)));
}

/** @throws {ConfigurationError} when the binding has problems instead of values */
function checked<Binding extends object>(
  variables: BindingVariables,
  binding: Binding | Problem[],
): Binding {
  if (Array.isArray(binding)) throw invalidEnvironment(variables, binding);
  return binding;
}
