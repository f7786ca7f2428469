import { group, isObject, type Problem, problem, problemsOf } from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { bindingFields, serviceFields } from "../fields/index.js";
import { parseServiceBinding, type ServiceBinding } from "../parsing/index.js";
import type { Direction } from "../props.js";
import type { RuntimeBinding } from "../runtime-binding.js";
import {
  type BindingVariables,
  bindingVariables,
  type Environment,
  environmentRule,
  invalidEnvironment,
  variableCheck,
} from "./binding-variables.js";
import { checkPrefix, variableName } from "./variable-names.js";

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
  checkPrefix(prefix);
  const invalidOptions = optionProblems(options);
  if (invalidOptions.length > 0) {
    throw new BindingConfigurationError(
      invalidOptions,
      "The options of bindingFromEnvironment are invalid",
    );
  }
  const { direction = "input, output", env = process.env } = options;
  const environment = bindingVariables(prefix, env, bindingFields);
  const only = options.direction === undefined ? onlyDirection(environment) : undefined;
  const binding = parseEnvironment(environment, only ?? direction);
  const problems = Array.isArray(binding) ? binding : [];
  if (only !== undefined) problems.push(directionRequired(prefix, only));
  if (Array.isArray(binding) || problems.length > 0)
    throw invalidEnvironment(environment, problems);
  return binding;
}

const environmentOptions = group<EnvironmentOptions>({
  direction: bindingFields.direction.rule,
  env: environmentRule,
});

/** Reports mistakes that the compiler does not see in JavaScript and in spread objects. */
function optionProblems(options: unknown): readonly Problem[] {
  if (isObject(options)) return problemsOf(environmentOptions, "", options);
  const message = 'the options must be an object such as { direction: "input" }';
  return [{ field: "options", rule: "type", message }];
}

function parseEnvironment(
  environment: BindingVariables,
  requested: Direction,
): ServiceBinding | Problem[] {
  const { prefix, values } = environment;
  const { direction } = values;
  const isOther = (direction === "input" || direction === "output") && direction !== requested;
  const check = variableCheck(environment);
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
