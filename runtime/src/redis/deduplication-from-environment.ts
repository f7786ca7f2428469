import type { TokenCredential } from "@azure/core-auth";
import type { Claim, DeduplicationStore, EventKey, Settlement } from "../deduplication/index.js";
import { RedisConfigurationError } from "./configuration-error.js";
import type { NodeRedisClient } from "./redis-client.js";
import { type RedisDeduplicationOptions, redisDeduplication } from "./redis-deduplication.js";

/** Options of {@link deduplicationFromEnvironment}. */
export interface EnvironmentDeduplicationOptions extends RedisDeduplicationOptions {
  /**
   * Authenticates to Redis, such as `new DefaultAzureCredential()` of `@azure/identity`. Required
   * unless the environment has a password.
   */
  readonly credential?: TokenCredential;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An address with a port; TLS is used except for this machine. */
const ADDRESS = /^(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}$/;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\]):/;

/**
 * The store that the construct's `sharedDeduplication` describes: a Redis that it connects to itself,
 * and that the listener disconnects from when it closes.
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
 * @throws {RedisConfigurationError} when the environment or an option is invalid
 */
export function deduplicationFromEnvironment(
  prefix: string,
  { credential, env = process.env, ...options }: EnvironmentDeduplicationOptions = {},
): DeduplicationStore | undefined {
  const address = env[`${prefix}_DEDUPLICATION_REDIS`];
  const password = env[`${prefix}_DEDUPLICATION_PASSWORD`];
  if (!address) return undefined;
  if (!ADDRESS.test(address)) {
    const field = `${prefix}_DEDUPLICATION_REDIS`;
    const message = `${field} must be a host and a port, such as shop.redis.azure.net:10000`;
    throw new RedisConfigurationError([{ field, rule: "address", message }]);
  }
  if (!password && credential === undefined && !LOOPBACK.test(address)) {
    const message = `credential is required, because ${prefix}_DEDUPLICATION_PASSWORD is not set: use new DefaultAzureCredential() of @azure/identity, for example`;
    throw new RedisConfigurationError([{ field: "credential", rule: "required", message }]);
  }
  const url = `${LOOPBACK.test(address) ? "redis" : "rediss"}://${address}`;
  return new ConnectedDeduplication(url, password, credential, options);
}

/** A store with a client of its own. */
class ConnectedDeduplication implements DeduplicationStore {
  readonly leaseMs: number;
  readonly #store: DeduplicationStore;
  readonly #client: Promise<{ close(): Promise<void>; destroy(): void }>;

  constructor(
    url: string,
    password: string | undefined,
    credential: TokenCredential | undefined,
    options: RedisDeduplicationOptions,
  ) {
    const connected = connect(url, password, credential);
    // Commands fail with the reason; without a listener the first failure would end the process.
    connected.catch(() => {});
    const lazy: NodeRedisClient = {
      eval: async (...args) => (await connected).eval(...args),
      evalSha: async (...args) => (await connected).evalSha(...args),
    };
    this.#client = connected;
    this.#store = redisDeduplication(lazy, options);
    this.leaseMs = this.#store.leaseMs;
  }

  claim(key: EventKey): Claim | Promise<Claim> {
    return this.#store.claim(key);
  }

  claimMany(keys: readonly EventKey[]) {
    return this.#store.claimMany?.(keys) ?? [];
  }

  settleMany(settlements: readonly Settlement[]) {
    return this.#store.settleMany?.(settlements);
  }

  async close(): Promise<void> {
    const client = await this.#client.catch(() => undefined);
    // Everything has been settled, so nothing is lost if Redis does not answer any more.
    client?.destroy();
  }
}

async function connect(
  url: string,
  password: string | undefined,
  credential: TokenCredential | undefined,
) {
  const { createClient } = await import("redis");
  const client = createClient({
    url,
    disableOfflineQueue: true,
    ...(password && { password }),
    ...(!password && credential && { credentialsProvider: await entra(credential) }),
  });
  // The store reports the failures of its commands; the client reconnects by itself.
  client.on("error", () => {});
  void client.connect().catch(() => {});
  return client;
}

async function entra(credential: TokenCredential) {
  const { DEFAULT_TOKEN_MANAGER_CONFIG, EntraIdCredentialsProviderFactory, REDIS_SCOPE_DEFAULT } =
    await import("@redis/entraid");
  return EntraIdCredentialsProviderFactory.createForDefaultAzureCredential({
    credential,
    scopes: REDIS_SCOPE_DEFAULT,
    tokenManagerConfig: DEFAULT_TOKEN_MANAGER_CONFIG,
  });
}
