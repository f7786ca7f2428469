import { problemsOf } from "../../validation/index.js";
import { BindingConfigurationError } from "../configuration-error.js";
import { environmentPrefixRule } from "../rules/index.js";

/** The variables of a process, or an object of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variable of each field that a running service reads, without the prefix. */
export const VARIABLES = {
  direction: "DIRECTION",
  name: "NAME",
  cloudEnvironment: "CLOUD",
  cloudAuthorityHost: "AUTHORITY_HOST",
  cloudTenantId: "TENANT_ID",
  cloudClientId: "CLIENT_ID",
  handshakePort: "HANDSHAKE_PORT",
  path: "WEBHOOK_PATH",
  eventSubscriptionName: "SUBSCRIPTION_NAME",
  scope: "SCOPE",
  topicEndpoint: "TOPIC_ENDPOINT",
  publishWith: "PUBLISH_WITH",
  accessKey: "ACCESS_KEY",
} as const;

/** A field that an environment variable carries. */
export type EnvironmentField = keyof typeof VARIABLES;

/** All of them, in the order in which they are written. */
export const ENVIRONMENT_FIELDS = Object.keys(VARIABLES) as readonly EnvironmentField[];

/** The full name of a field's variable, such as `ORDERS_TENANT_ID`. */
export function variableName(prefix: string, field: EnvironmentField): string {
  return `${prefix}_${VARIABLES[field]}`;
}

/** @throws {BindingConfigurationError} when the prefix is not in upper snake case */
export function checkPrefix(prefix: string): void {
  const problems = problemsOf(environmentPrefixRule, "prefix", prefix);
  if (problems.length > 0) {
    throw new BindingConfigurationError(problems, "The prefix of the environment is invalid");
  }
}
