import {
  group,
  isObject,
  nearName,
  type Problem,
  predicateRule,
  problem,
  problemsOf,
} from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { parseServiceBinding, type ServiceBinding } from "../definition/index.js";
import { bindingFields, type FieldTable, type NamedField, serviceFields } from "../fields/index.js";
import type { Direction } from "../props.js";
import type { RuntimeBinding } from "../runtime-binding.js";
import { checkPrefix, variableName } from "./variable-names.js";

/** The variables of a process, or an object of the same form. */
type Environment = Readonly<Record<string, string | undefined>>;

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
  return readEnvironment(prefix, options);
}

/** As {@link bindingFromEnvironment}, with other fields than a binding's. */
export function readEnvironment(
  prefix: string,
  options: EnvironmentOptions,
  fields: FieldTable = bindingFields,
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
  const values: Record<string, string> = {};
  for (const { name, service } of serviceFields(fields)) {
    const value = service?.variable && env[variableName(prefix, service.variable)];
    // An empty variable counts as missing: many platforms cannot leave one out.
    if (value) values[name] = value;
  }
  const environment = { prefix, values, env, fields };
  const only = options.direction === undefined ? onlyDirection(environment) : undefined;
  const binding = parseEnvironment(environment, only ?? direction);
  const problems = Array.isArray(binding) ? binding : [];
  if (only !== undefined) problems.push(directionRequired(prefix, only));
  if (Array.isArray(binding) || problems.length > 0) {
    throw new BindingConfigurationError(
      [...otherPrefixes(environment), ...problems],
      `The environment of "${prefix}" is invalid`,
    );
  }
  return binding;
}

const environment = predicateRule({
  name: "type",
  requirement: "must be an object such as process.env",
  test: isObject,
});

const environmentOptions = group<EnvironmentOptions>({
  direction: bindingFields.direction.rule,
  env: environment,
});

/** Reports mistakes that the compiler does not see in JavaScript and in spread objects. */
function optionProblems(options: unknown): readonly Problem[] {
  if (isObject(options)) return problemsOf(environmentOptions, "", options);
  const message = 'the options must be an object such as { direction: "input" }';
  return [{ field: "options", rule: "type", message }];
}

/** An environment that is being read. */
interface BindingVariables {
  readonly prefix: string;
  /** The values of the variables that are set, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly env: Environment;
  readonly fields: FieldTable;
}

function parseEnvironment(
  environment: BindingVariables,
  requested: Direction,
): ServiceBinding | Problem[] {
  const { prefix, values, fields } = environment;
  const { direction } = values;
  const isOther = (direction === "input" || direction === "output") && direction !== requested;
  const binding = parseServiceBinding(values, isOther ? direction : requested, {
    fields,
    nameOf: ({ name, service }) => variableName(prefix, service?.variable ?? name),
    missing: "is not set; it is required",
    advice(field) {
      const misspelt = misspeltVariable(field, environment);
      return misspelt === undefined ? "" : `: rename ${misspelt}`;
    },
  });
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
function onlyDirection({ values, fields }: BindingVariables): "input" | "output" | undefined {
  if (values.direction !== undefined) return undefined;
  const has = (direction: "input" | "output") =>
    serviceFields(fields).some(
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

/** A variable with the prefix that is not of this binding, and whose name resembles the field's. */
function misspeltVariable(
  { service }: NamedField,
  { prefix, env, fields }: BindingVariables,
): string | undefined {
  const variables = serviceFields(fields).flatMap((field) => field.service?.variable ?? []);
  const known = variables.map((variable) => variableName(prefix, variable));
  return Object.keys(env).find(
    (name) =>
      env[name] !== undefined &&
      name.startsWith(prefix) &&
      !known.includes(name) &&
      nearName(name.slice(prefix.length), [`_${service?.variable}`]) !== undefined,
  );
}

const MOST_PREFIXES = 3;

/** Suggests the prefixes of other bindings when no variable has the requested one. */
function otherPrefixes({ prefix, values, env, fields }: BindingVariables): Problem[] {
  if (Object.keys(values).length > 0) return [];
  const endings = serviceFields(fields).flatMap(({ service }) =>
    service?.variable && service.isDistinctive ? [`_${service.variable}`] : [],
  );
  const prefixes = new Set(
    Object.entries(env).flatMap(([name, value]) => {
      const ending = endings.find((suffix) => name.endsWith(suffix));
      return ending === undefined || !value ? [] : [name.slice(0, -ending.length)];
    }),
  );
  if (prefixes.size === 0) return [];
  const others = [...prefixes].slice(0, MOST_PREFIXES).join(", ");
  const message = `no variable begins with ${prefix}_, but there are bindings with the prefix ${others}`;
  return [{ field: "prefix", rule: "environment-prefix", message }];
}
