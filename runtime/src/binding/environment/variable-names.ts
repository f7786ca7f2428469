import { problemsOf } from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { environmentPrefixRule } from "../rules/index.js";

/** The full name of a variable, such as `ORDERS_TENANT_ID`. */
export function variableName(prefix: string, variable: string): string {
  return `${prefix}_${variable}`;
}

/** @throws {BindingConfigurationError} when the prefix is not in upper snake case */
export function checkPrefix(prefix: string): void {
  const problems = problemsOf(environmentPrefixRule, "prefix", prefix);
  if (problems.length > 0) {
    throw new BindingConfigurationError(problems, "The prefix of the environment is invalid");
  }
}
