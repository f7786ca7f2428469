import { BindingConfigurationError } from "./problem.js";
import { shownValue } from "./shown-value.js";

/** The environment variable of each field of a running binding, without its prefix. */
export const VARIABLES = {
  direction: "DIRECTION",
  name: "NAME",
  cloudEnvironment: "CLOUD",
  cloudAuthorityHost: "AUTHORITY_HOST",
  cloudTenantId: "TENANT_ID",
  cloudClientId: "CLIENT_ID",
  handshakePort: "HANDSHAKE_PORT",
  path: "WEBHOOK_PATH",
  topicEndpoint: "TOPIC_ENDPOINT",
  publishWith: "PUBLISH_WITH",
  accessKey: "ACCESS_KEY",
} as const;

/** A field of a running binding that an environment variable carries. */
export type EnvironmentField = keyof typeof VARIABLES;

/** All of them, in the order in which they are written. */
export const ENVIRONMENT_FIELDS = Object.keys(VARIABLES) as readonly EnvironmentField[];

/**
 * The full name of a field's variable: `ORDERS_TENANT_ID`.
 *
 * @throws {BindingConfigurationError} when the prefix is not in upper snake case
 */
export function variableName(prefix: string, field: EnvironmentField): string {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(prefix)) {
    const received = shownValue(prefix);
    const message =
      'prefix must be upper-case letters, digits and single underscores, such as "ORDERS", ' +
      `but is ${received}`;
    const problem = { field: "prefix", rule: "environment-prefix", message, received } as const;
    throw new BindingConfigurationError([problem], "The environment");
  }
  return `${prefix}_${VARIABLES[field]}`;
}
