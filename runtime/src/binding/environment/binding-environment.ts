import { type Problem, problemsOf } from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import {
  type ResolvedBinding,
  resolveBinding,
  type ValidationOptions,
} from "../definition/index.js";
import type { BindingProps } from "../props.js";
import { bindingRules, webhookPath } from "../rules/index.js";
import { checkPrefix, ENVIRONMENT_FIELDS, variableName } from "./variables.js";

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

/** Values that the reader assumes, so that they are not written. */
const DEFAULTS: Readonly<Record<string, string>> = {
  cloudEnvironment: "public",
  publishWith: "accessKey",
};

/**
 * Writes the values of a binding that a running service needs as environment variables, which
 * `bindingFromEnvironment` reads. Unresolved values are passed on unchanged.
 *
 * The client secret and the host and query of the webhook's URL are left out. The scope is left out
 * if it is unresolved, so that the service does not depend on the resource.
 *
 * @param prefix start of the variables' names, in upper snake case, such as `ORDERS`
 * @throws {BindingConfigurationError} when the props, the options or the prefix are invalid, or
 * when the listener's path is unknown
 */
export function bindingEnvironment(
  props: BindingProps,
  prefix: string,
  options: BindingEnvironmentOptions = {},
): BindingEnvironment {
  checkPrefix(prefix);
  const binding = resolveBinding(props, options);
  const problems = optionProblems(binding, options);
  if (problems.length > 0) throw new BindingConfigurationError(problems);

  const values: Readonly<Record<string, string | undefined>> = {
    ...binding,
    ...(options.otherSubscriptions && { eventSubscriptionName: undefined, scope: undefined }),
    name: options.name,
    path: "subscriberEndpoint" in binding ? webhookPath({ ...binding, ...options }) : undefined,
  };
  const variables: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const field of ENVIRONMENT_FIELDS) {
    const value = values[field];
    if (value === undefined || value === DEFAULTS[field]) continue;
    if (field === "scope" && options.isUnresolved?.(value)) continue;
    const target = field === "accessKey" ? secrets : variables;
    target[variableName(prefix, field)] = value;
  }
  return { variables, secrets };
}

function optionProblems(binding: ResolvedBinding, options: BindingEnvironmentOptions): Problem[] {
  const { path, isUnresolved = () => false } = options;
  const problems = (["path", "name"] as const).flatMap((option) => {
    const value = options[option];
    if (value === undefined || isUnresolved(value)) return [];
    return problemsOf(bindingRules[option], option, value);
  });
  const isUnknown = "subscriberEndpoint" in binding && isUnresolved(binding.subscriberEndpoint);
  if (isUnknown && path === undefined) {
    const message =
      "path is required, because subscriberEndpoint is known only after deployment: " +
      "set the path that the listener serves, such as /api/events";
    problems.push({ field: "path", rule: "required", message });
  }
  return problems;
}
