import {
  type Composite,
  group,
  type Problem,
  problem,
  problemsOf,
} from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { bindingFields, serviceFields } from "../fields/index.js";
import {
  parseNamespaceTopic,
  parsePullBinding,
  parseServiceBinding,
  type ServiceBinding,
} from "../parsing/index.js";
import type { Direction } from "../props.js";
import type {
  NamespaceTopicRuntimeBinding,
  PullRuntimeBinding,
  RuntimeBinding,
} from "../runtime-binding.js";
import {
  type BindingVariables,
  bindingKinds,
  bindingVariables,
  checkPrefix,
  type Environment,
  environmentRule,
  invalidEnvironment,
  variableCheck,
  variableName,
} from "./variables.js";

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
 * @throws {BindingConfigurationError} with every variable that is missing or invalid
 */
export function bindingFromEnvironment<D extends Direction = "input, output">(
  prefix: string,
  options?: EnvironmentOptions<D>,
): RuntimeBinding<D>;
export function bindingFromEnvironment(
  prefix: string,
  options: EnvironmentOptions = {},
): RuntimeBinding {
  const variables = readVariables(prefix, options, bindingKinds.webhookOrTopic, bindingOptions);
  const only = options.direction === undefined ? onlyDirection(variables) : undefined;
  const binding = parseBinding(variables, options.direction ?? only ?? "input, output");
  const problems = Array.isArray(binding) ? binding : [];
  if (only !== undefined) problems.push(directionRequired(prefix, only));
  if (Array.isArray(binding) || problems.length > 0) throw invalidEnvironment(variables, problems);
  return binding;
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
 * @throws {BindingConfigurationError} with every variable that is missing or invalid
 */
export function pullBindingFromEnvironment(
  prefix: string,
  options: Pick<EnvironmentOptions, "env"> = {},
): PullRuntimeBinding {
  const variables = readVariables(prefix, options, bindingKinds.queue);
  const binding = parsePullBinding(variables.values, variableCheck(variables));
  if (Array.isArray(binding)) throw invalidEnvironment(variables, binding);
  return binding;
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
 * @throws {BindingConfigurationError} with every variable that is missing or invalid
 */
export function namespaceTopicFromEnvironment(
  prefix: string,
  options: Pick<EnvironmentOptions, "env"> = {},
): NamespaceTopicRuntimeBinding {
  const variables = readVariables(prefix, options, bindingKinds.namespaceTopic);
  const binding = parseNamespaceTopic(variables.values, variableCheck(variables));
  if (Array.isArray(binding)) throw invalidEnvironment(variables, binding);
  return binding;
}

const environmentOptions = group<Pick<EnvironmentOptions, "env">>({ env: environmentRule });

const bindingOptions = group<EnvironmentOptions>({
  direction: bindingFields.direction.rule,
  env: environmentRule,
});

function readVariables(
  prefix: string,
  options: Pick<EnvironmentOptions, "env">,
  { fields, reader }: (typeof bindingKinds)[keyof typeof bindingKinds],
  check: Composite = environmentOptions,
): BindingVariables {
  checkPrefix(prefix);
  const problems = problemsOf(check, "", options);
  if (problems.length > 0) {
    throw new BindingConfigurationError(problems, `The options of ${reader} are invalid`);
  }
  return bindingVariables(prefix, options.env ?? process.env, fields);
}

function parseBinding(
  variables: BindingVariables,
  requested: Direction,
): ServiceBinding | Problem[] {
  const { prefix, values } = variables;
  const { direction } = values;
  const isOther = (direction === "input" || direction === "output") && direction !== requested;
  const check = variableCheck(variables);
  const binding = parseServiceBinding(values, isOther ? direction : requested, check);
  if (!isOther) return binding;
  return [directionMissing(prefix, direction), ...(Array.isArray(binding) ? binding : [])];
}

function directionMissing(prefix: string, direction: "input" | "output"): Problem {
  const other = direction === "input" ? "output" : "input";
  const message =
    `is "${direction}": this binding has no ${other} direction. Read the direction that it has ` +
    `with bindingFromEnvironment("${prefix}", { direction: "${direction}" })`;
  return problem(
    variableName(prefix, bindingFields.direction.service.variable),
    "direction",
    message,
  );
}

/** The direction whose variables are set, if none of the other's is. */
function onlyDirection({ values }: BindingVariables): "input" | "output" | undefined {
  if (values.direction !== undefined) return undefined;
  const has = (direction: "input" | "output") =>
    serviceFields(bindingFields).some(
      ({ name, service, ...field }) =>
        field.direction === direction && service?.required && values[name] !== undefined,
    );
  const receives = has("input");
  if (receives === has("output")) return undefined;
  return receives ? "input" : "output";
}

/** Reading both directions is the default, so that a service with one has to name it. */
function directionRequired(prefix: string, direction: "input" | "output"): Problem {
  const verb = direction === "input" ? "receives" : "publishes";
  const message = `a service that only ${verb} reads bindingFromEnvironment("${prefix}", { direction: "${direction}" })`;
  return { field: "direction", rule: "direction", message };
}
