import { group, problemsOf } from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import {
  type FieldTable,
  namespaceTopicFields,
  pullFields,
  serviceFields,
} from "../fields/index.js";
import {
  parseNamespaceTopic,
  parsePullBinding,
  resolveDefinition,
  type ValidationOptions,
} from "../parsing/index.js";
import type { NamespaceTopicRuntimeBinding, PullRuntimeBinding } from "../runtime-binding.js";
import { type BindingEnvironment, variablesOf } from "./binding-environment.js";
import type { EnvironmentOptions } from "./binding-from-environment.js";
import {
  type BindingVariables,
  bindingVariables,
  environmentRule,
  invalidEnvironment,
  variableCheck,
} from "./binding-variables.js";
import { checkPrefix } from "./variable-names.js";

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
  const variables = readVariables(prefix, options, pullFields, "pullBindingFromEnvironment");
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
  const reader = "namespaceTopicFromEnvironment";
  const variables = readVariables(prefix, options, namespaceTopicFields, reader);
  const binding = parseNamespaceTopic(variables.values, variableCheck(variables));
  if (Array.isArray(binding)) throw invalidEnvironment(variables, binding);
  return binding;
}

/**
 * Writes a pull binding as environment variables, which `pullBindingFromEnvironment` reads.
 * Unresolved values are passed on unchanged, except for `receiveLockSeconds`, which is left out.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {BindingConfigurationError} when the binding or the prefix is invalid
 */
export function pullBindingEnvironment(
  binding: PullRuntimeBinding,
  prefix: string,
  options: Pick<ValidationOptions, "isUnresolved"> = {},
): BindingEnvironment {
  return writeVariables(binding, prefix, options, pullFields);
}

/**
 * Writes the topic of a namespace as environment variables, which `namespaceTopicFromEnvironment`
 * reads. Unresolved values are passed on unchanged.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {BindingConfigurationError} when the topic or the prefix is invalid
 */
export function namespaceTopicEnvironment(
  topic: NamespaceTopicRuntimeBinding,
  prefix: string,
  options: Pick<ValidationOptions, "isUnresolved"> = {},
): BindingEnvironment {
  return writeVariables(topic, prefix, options, namespaceTopicFields);
}

const environmentOptions = group<Pick<EnvironmentOptions, "env">>({ env: environmentRule });

function readVariables(
  prefix: string,
  options: Pick<EnvironmentOptions, "env">,
  fields: FieldTable,
  reader: string,
): BindingVariables {
  checkPrefix(prefix);
  const problems = problemsOf(environmentOptions, "", options);
  if (problems.length > 0) {
    throw new BindingConfigurationError(problems, `The options of ${reader} are invalid`);
  }
  const { env = process.env } = options;
  return bindingVariables(prefix, env, fields);
}

function writeVariables(
  binding: object,
  prefix: string,
  options: Pick<ValidationOptions, "isUnresolved">,
  fields: FieldTable,
): BindingEnvironment {
  checkPrefix(prefix);
  const { isUnresolved = () => false } = options;
  const values = resolveDefinition<Record<string, unknown>>(binding, options, fields);
  return variablesOf(values, prefix, serviceFields(fields), isUnresolved);
}
