import {
  group,
  isObject,
  nearName,
  type Problem,
  predicateRule,
  problemsOf,
  type Rule,
} from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { hasInput, hasOutput } from "../definition/index.js";
import type { Direction } from "../props.js";
import { bindingRules, existingSubscriptionNameRule } from "../rules/index.js";
import type {
  InputRuntimeBinding,
  OutputRuntimeBinding,
  RuntimeBinding,
} from "../runtime-binding.js";
import {
  checkPrefix,
  ENVIRONMENT_FIELDS,
  type Environment,
  type EnvironmentField,
  VARIABLES,
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
  checkPrefix(prefix);
  const invalidOptions = optionProblems(options);
  if (invalidOptions.length > 0) {
    throw new BindingConfigurationError(
      invalidOptions,
      "The options of bindingFromEnvironment are invalid",
    );
  }
  const { direction = "input, output", env = process.env } = options;
  const values = new Map(
    ENVIRONMENT_FIELDS.flatMap((field) => {
      // An empty variable counts as missing: many platforms cannot leave one out.
      const value = env[variableName(prefix, field)];
      return value === undefined || value === "" ? [] : [[field, value] as const];
    }),
  );
  const only = options.direction === undefined ? onlyDirection(values) : undefined;
  const problems = environmentProblems(prefix, values, only ?? direction, env);
  if (only !== undefined) problems.push(directionRequired(prefix, only));
  if (problems.length > 0) {
    throw new BindingConfigurationError(
      [...otherPrefixes(prefix, values, env), ...problems],
      `The environment of "${prefix}" is invalid`,
    );
  }
  const read = (...fields: readonly EnvironmentField[]) =>
    Object.fromEntries([...values].filter(([field]) => fields.includes(field)));
  return {
    cloudEnvironment: "public",
    ...read("name", "cloudEnvironment", "cloudAuthorityHost"),
    direction,
    ...(hasInput(direction) && read(...INPUT, ...OPTIONAL_INPUT)),
    ...(hasOutput(direction) && {
      publishWith: "accessKey",
      ...read(...OUTPUT, ...(values.get("publishWith") === "entra" ? [] : KEY)),
    }),
  } as InputRuntimeBinding & OutputRuntimeBinding;
}

const INPUT = ["cloudTenantId", "cloudClientId", "handshakePort", "path"] as const;
const OPTIONAL_INPUT = ["eventSubscriptionName", "scope"] as const;
const OUTPUT = ["topicEndpoint", "publishWith"] as const;
const KEY = ["accessKey"] as const;

const environment = predicateRule({
  name: "type",
  requirement: "must be an object such as process.env",
  test: isObject,
});

const environmentOptions = group<EnvironmentOptions>({
  direction: bindingRules.direction,
  env: environment,
});

/** Reports mistakes that the compiler does not see in JavaScript and in spread objects. */
function optionProblems(options: unknown): readonly Problem[] {
  if (isObject(options)) return problemsOf(environmentOptions, "", options);
  const message = 'the options must be an object such as { direction: "input" }';
  return [{ field: "options", rule: "type", message }];
}

type Values = ReadonlyMap<EnvironmentField, string>;

function environmentProblems(
  prefix: string,
  values: Values,
  wanted: Direction,
  env: Environment,
): Problem[] {
  const problems: Problem[] = [];
  const written = values.get("direction");
  let used = wanted;
  if ((written === "input" || written === "output") && written !== wanted) {
    problems.push(directionMissing(prefix, written));
    used = written;
  }
  const required: EnvironmentField[] = [];
  const optional: EnvironmentField[] = [
    "direction",
    "name",
    "cloudEnvironment",
    "cloudAuthorityHost",
  ];
  if (hasInput(used)) {
    required.push(...INPUT);
    optional.push(...OPTIONAL_INPUT);
  }
  if (hasOutput(used)) {
    required.push("topicEndpoint");
    optional.push("publishWith");
    if (values.get("publishWith") !== "entra") required.push("accessKey");
  }
  for (const field of ENVIRONMENT_FIELDS) {
    const variable = variableName(prefix, field);
    const value = values.get(field);
    if (value !== undefined && (required.includes(field) || optional.includes(field))) {
      problems.push(...problemsOf(ruleOf(field), variable, value));
    }
    if (value === undefined && required.includes(field)) {
      const purpose = INPUT.some((one) => one === field) ? "receive" : "publish";
      const misspelt = misspeltVariable(prefix, field, env);
      const advice = misspelt === undefined ? "" : `: rename ${misspelt}`;
      const message = `${variable} is not set; it is required to ${purpose} events${advice}`;
      problems.push({ field: variable, rule: "required", message });
    }
  }
  return problems;
}

function ruleOf(field: EnvironmentField): Rule {
  return field === "eventSubscriptionName" ? existingSubscriptionNameRule : bindingRules[field];
}

function directionMissing(prefix: string, written: "input" | "output"): Problem {
  const field = variableName(prefix, "direction");
  const absent = written === "input" ? "output" : "input";
  const message =
    `${field} is "${written}": this binding has no ${absent} direction. Read the direction that it has ` +
    `with bindingFromEnvironment("${prefix}", { direction: "${written}" })`;
  return { field, rule: "direction", message };
}

/** The direction whose variables are set, if none of the other's is. */
function onlyDirection(values: Values): "input" | "output" | undefined {
  const has = (...fields: readonly EnvironmentField[]) => fields.some((field) => values.has(field));
  if (has("direction")) return undefined;
  const receives = has("cloudTenantId", "cloudClientId", "handshakePort");
  const publishes = has("topicEndpoint", "accessKey");
  if (receives === publishes) return undefined;
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
  prefix: string,
  field: EnvironmentField,
  env: Environment,
): string | undefined {
  const known = ENVIRONMENT_FIELDS.map((other) => variableName(prefix, other));
  return Object.keys(env).find(
    (name) =>
      env[name] !== undefined &&
      name.startsWith(prefix) &&
      !known.includes(name) &&
      nearName(name.slice(prefix.length), [`_${VARIABLES[field]}`]) !== undefined,
  );
}

/** Variables whose names are specific to a binding. */
const RECOGNISABLE = [VARIABLES.handshakePort, VARIABLES.path, VARIABLES.topicEndpoint];
const MOST_PREFIXES = 3;

/** Suggests the prefixes of other bindings when no variable has the requested one. */
function otherPrefixes(prefix: string, values: Values, env: Environment): Problem[] {
  if (values.size > 0) return [];
  const prefixes = new Set(
    Object.entries(env).flatMap(([name, value]) => {
      const ending = RECOGNISABLE.find((suffix) => name.endsWith(`_${suffix}`));
      if (ending === undefined || value === undefined || value === "") return [];
      return [name.slice(0, -ending.length - 1)];
    }),
  );
  if (prefixes.size === 0) return [];
  const found = [...prefixes].slice(0, MOST_PREFIXES).join(", ");
  const message = `no variable begins with ${prefix}_, but there are bindings with the prefix ${found}`;
  return [{ field: "prefix", rule: "environment-prefix", message }];
}
