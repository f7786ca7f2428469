import { ENVIRONMENT_FIELDS, variableName } from "./environment-variables.js";
import type { BindingProps } from "./props.js";
import type { RuntimeBinding } from "./runtime-binding.js";
import { type RuntimeBindingOptions, runtimeBinding } from "./runtime-projection.js";

/** Flat environment variables, one value each. */
export interface BindingEnvironment {
  /** What anybody may see. */
  readonly variables: Readonly<Record<string, string>>;
  /** What belongs into a secret store: the access key, if there is one. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What a reader fills in by itself, and the environment need not say. */
const DEFAULTS: Readonly<Record<string, string>> = {
  cloudEnvironment: "public",
  publishWith: "accessKey",
};

/**
 * Writes what a running service reads of a binding as environment variables;
 * `bindingFromEnvironment` reads them back.
 *
 * Unresolved values pass through as they are.
 *
 * @param prefix what the variables' names begin with, in upper snake case: `ORDERS`
 * @throws {BindingConfigurationError} as {@link runtimeBinding} does, and for a bad prefix
 */
export function bindingEnvironment(
  props: BindingProps,
  prefix: string,
  options: RuntimeBindingOptions = {},
): BindingEnvironment {
  const binding: RuntimeBinding = runtimeBinding(props, options);
  const values: Readonly<Record<string, string | undefined>> = { ...binding };
  const variables: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const field of ENVIRONMENT_FIELDS) {
    const value = values[field];
    if (value === undefined || value === DEFAULTS[field]) continue;
    const target = field === "accessKey" ? secrets : variables;
    target[variableName(prefix, field)] = value;
  }
  return { variables, secrets };
}
