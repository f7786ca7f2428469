import type { TokenCredential } from "@azure/core-auth";
import { isLoopback } from "../binding/rules/index.js";
import type { DeduplicationStore } from "../deduplication/index.js";
import type { Log } from "../observability/index.js";
import { group, problem, problemsOf, unchecked } from "../validation/index.js";
import { RedisConfigurationError } from "./configuration-error.js";
import { RedisConnection } from "./redis-connection.js";
import {
  REDIS_OPTIONS,
  type RedisDeduplicationOptions,
  redisDeduplication,
} from "./redis-deduplication.js";

/** Options of {@link deduplicationFromEnvironment}. */
export interface EnvironmentDeduplicationOptions extends RedisDeduplicationOptions {
  /**
   * Authenticates to Redis, such as `new DefaultAzureCredential()` of `@azure/identity`. Required
   * unless the environment has a password.
   */
  readonly credential?: TokenCredential | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** An address with a port; TLS is used except for this machine. */
const ADDRESS = /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/;

/**
 * How long Redis may leave a command unanswered before the connection is replaced. A failover or a
 * firewall can break a connection without a sign; the operating system notices it after about 15 minutes.
 */
const COMMAND_TIMEOUT_MS = 30_000;

const storeChecks = group<EnvironmentDeduplicationOptions>({
  ...REDIS_OPTIONS,
  credential: unchecked,
  env: unchecked,
});

/**
 * The store in the Redis that the environment names. It connects to the Redis itself, and the listener
 * disconnects from it when it closes.
 *
 * It reads `<prefix>_DEDUPLICATION_REDIS`, a host and port, and `<prefix>_DEDUPLICATION_PASSWORD`. It
 * needs the package `redis`, and `@redis/entraid` to authenticate with a `credential`.
 *
 * @example
 * ```ts
 * createListener(bindingFromEnvironment("SHOP"), {
 *   on,
 *   deduplication: deduplicationFromEnvironment("SHOP", { credential: new DefaultAzureCredential() }),
 * });
 * ```
 *
 * @param prefix the same as for `bindingFromEnvironment`
 * @returns `undefined` when no address is set: the listener then remembers in memory
 * @throws {RedisConfigurationError} when the environment or an option is invalid, or a package is not
 * installed
 */
export function deduplicationFromEnvironment(
  prefix: string,
  options: EnvironmentDeduplicationOptions = {},
): DeduplicationStore | undefined {
  return storeFromEnvironment(prefix, options, COMMAND_TIMEOUT_MS);
}

/** {@link deduplicationFromEnvironment} with another timeout, for tests. The package does not export it. */
export function storeFromEnvironment(
  prefix: string,
  options: EnvironmentDeduplicationOptions,
  commandTimeoutMs: number,
): DeduplicationStore | undefined {
  const { credential, env = process.env, ...storeOptions } = options;
  const address = env[`${prefix}_DEDUPLICATION_REDIS`];
  const password = env[`${prefix}_DEDUPLICATION_PASSWORD`];
  const isLocal = URL.canParse(`redis://${address}`) && isLoopback(new URL(`redis://${address}`));
  const problems = [...problemsOf(storeChecks, "", options)];
  if (address && !ADDRESS.test(address)) {
    const message = "must be a host and a port, such as shop.redis.azure.net:10000";
    problems.push(problem(`${prefix}_DEDUPLICATION_REDIS`, "address", message));
  }
  if (address && !password && credential === undefined && !isLocal) {
    const message = `is required, because ${prefix}_DEDUPLICATION_PASSWORD is not set: use new DefaultAzureCredential() of @azure/identity, for example`;
    problems.push(problem("credential", "required", message));
  }
  if (problems.length > 0) throw new RedisConfigurationError(problems);
  if (!address) return undefined;

  const url = `${isLocal ? "redis" : "rediss"}://${address}`;
  const connection = new RedisConnection({ url, password, credential, commandTimeoutMs });
  const store = redisDeduplication(connection, storeOptions);
  return Object.assign(store, {
    open: (log: Log) => connection.warnOfEviction(log),
    close: () => connection.close(),
  });
}
