import { ConfigurationError, type Problem, problem } from "../errors.js";
import { problemsOf } from "../validation/index.js";
import { checkPrefix, variableName } from "./environment-variables.js";
import { webhookPath } from "./field-rules.js";
import { bindingFields, namespaceTopicFields, pullFields } from "./field-table.js";
import { type FieldTable, serviceFields } from "./fields.js";
import { type ResolvedBinding, resolveBinding, type ValidationOptions } from "./parse.js";
import type { BindingProps, NamespaceTopicRuntimeBinding, PullRuntimeBinding } from "./props.js";

/** A binding as environment variables, one for each value. */
export interface BindingEnvironment {
  /** The variables that are not secret. */
  readonly variables: Readonly<Record<string, string>>;
  /** The access key, if the binding has one; it belongs in a secret store. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Settings of a running service besides the props. */
export interface BindingEnvironmentOptions extends ValidationOptions {
  /**
   * Path that the listener serves. Required if `subscriberEndpoint` is unresolved, and if a gateway
   * rewrites the public path.
   *
   * @default the path of `subscriberEndpoint`
   */
  readonly path?: string;
  /**
   * Name of the binding: the default `source` of the events that it publishes.
   *
   * @default none
   */
  readonly name?: string;
  /**
   * Whether other event subscriptions deliver to the same webhook. The name and the scope of this one
   * are then left out, because the listener would report the deliveries of the others.
   *
   * @default false
   */
  readonly otherSubscriptions?: boolean;
}

/**
 * Writes the values of a binding that a running service needs as environment variables, which
 * `bindingFromEnvironment` reads. Unresolved values are passed on unchanged.
 *
 * The client secret and the host and query of the webhook's URL are left out. The scope is left out
 * if it is unresolved, so that the service does not depend on the resource.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {ConfigurationError} when the props, the options or the prefix are invalid, or
 * when the listener's path is unknown
 */
export function bindingEnvironment(
  props: BindingProps,
  prefix: string,
  options: BindingEnvironmentOptions = {},
): BindingEnvironment {
  return environmentOf(resolveBinding(props, options), prefix, options);
}

/** As {@link bindingEnvironment}, for a binding that has been parsed. */
export function environmentOf(
  binding: ResolvedBinding,
  prefix: string,
  options: BindingEnvironmentOptions,
): BindingEnvironment {
  const problems = environmentOptionProblems(binding, options);
  if (problems.length > 0) throw new ConfigurationError("The binding is invalid", problems);
  const values = {
    ...binding,
    name: options.name,
    path: "subscriberEndpoint" in binding ? webhookPath({ ...binding, ...options }) : undefined,
  };
  return variablesOf(values, prefix, bindingFields, options);
}

/**
 * Writes a pull binding as environment variables, which `pullBindingFromEnvironment` reads.
 * Unresolved values are passed on unchanged, except for `receiveLockSeconds`, which is left out.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {ConfigurationError} when the binding or the prefix is invalid
 */
export function pullBindingEnvironment(
  binding: PullRuntimeBinding,
  prefix: string,
  options: Pick<ValidationOptions, "isUnresolved"> = {},
): BindingEnvironment {
  return variablesOf(resolveBinding(binding, options, pullFields), prefix, pullFields, options);
}

/**
 * Writes the topic of a namespace as environment variables, which `namespaceTopicFromEnvironment`
 * reads. Unresolved values are passed on unchanged.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {ConfigurationError} when the topic or the prefix is invalid
 */
export function namespaceTopicEnvironment(
  topic: NamespaceTopicRuntimeBinding,
  prefix: string,
  options: Pick<ValidationOptions, "isUnresolved"> = {},
): BindingEnvironment {
  const values = resolveBinding(topic, options, namespaceTopicFields);
  return variablesOf(values, prefix, namespaceTopicFields, options);
}

/** Writes the values of fields as variables, except for defaults and those that must be literals. */
function variablesOf(
  values: object,
  prefix: string,
  fields: FieldTable,
  {
    isUnresolved = () => false,
    otherSubscriptions,
  }: Pick<BindingEnvironmentOptions, "isUnresolved" | "otherSubscriptions">,
): BindingEnvironment {
  checkPrefix(prefix);
  const variables: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const { name, rule, defaultValue, service = {} } of serviceFields(fields)) {
    const value: unknown = Reflect.get(values, name);
    if (service.variable === undefined || value === undefined || value === defaultValue) continue;
    if (service.isLiteral && isUnresolved(value)) continue;
    if (service.describesSubscription && otherSubscriptions) continue;
    (rule.secret ? secrets : variables)[variableName(prefix, service.variable)] = String(value);
  }
  return { variables, secrets };
}

function environmentOptionProblems(
  binding: ResolvedBinding,
  options: BindingEnvironmentOptions,
): Problem[] {
  const { path, isUnresolved = () => false } = options;
  const problems = (["path", "name"] as const).flatMap((option) => {
    const value = options[option];
    if (value === undefined || isUnresolved(value)) return [];
    return problemsOf(bindingFields[option].rule, option, value);
  });
  if ("subscriberEndpoint" in binding && path === undefined) {
    if (isUnresolved(binding.subscriberEndpoint)) problems.push(pathRequired);
  }
  return problems;
}

const pathRequired = problem("path", {
  required:
    "is required, because subscriberEndpoint is known only after deployment: " +
    "set the path that the listener serves, such as /api/events",
});
