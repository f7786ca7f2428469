import type { TokenCredential } from "@azure/core-auth";
import type { Log } from "../observability/index.js";
import { RedisConfigurationError } from "./configuration-error.js";
import type { NodeRedisArguments, NodeRedisClient } from "./redis-client.js";

export interface RedisConnectionOptions {
  /** Starts with `redis:` or `rediss:`. */
  readonly url: string;
  readonly password: string | undefined;
  /** Used if there is no password. */
  readonly credential: TokenCredential | undefined;
  /** How long Redis may leave a command unanswered. */
  readonly commandTimeoutMs: number;
}

/**
 * A client of node-redis that connects again when Redis does not answer. While it is not connected,
 * commands fail at once.
 */
export class RedisConnection implements NodeRedisClient {
  readonly #options: RedisConnectionOptions;
  #client: Client;
  /** Why the client is not connected. */
  #failure: string | undefined;
  /** Set until Redis has said whether it evicts keys. */
  #log: Log | undefined;

  /** @throws {RedisConfigurationError} when a package is not installed */
  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#client = this.#open();
  }

  eval(script: string, args: NodeRedisArguments): Promise<unknown> {
    return this.#send((client) => client.eval(script, args));
  }

  evalSha(sha: string, args: NodeRedisArguments): Promise<unknown> {
    return this.#send((client) => client.evalSha(sha, args));
  }

  /** Warns in the log if Redis may evict keys, as soon as it is connected. */
  warnOfEviction(log: Log): void {
    this.#log = log;
    if (this.#client.isReady) void this.#readPolicy(this.#client);
  }

  /** Drops the connection. Commands in progress fail. */
  close(): void {
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #send(command: (client: Client) => Promise<unknown>): Promise<unknown> {
    const client = this.#client;
    const timer = this.#watch(client);
    try {
      return await command(client);
    } catch (error) {
      if (this.#failure === undefined) throw error;
      throw new Error(`not connected to Redis: ${this.#failure}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Replaces the client unless the timer is cleared in time. */
  #watch(client: Client): NodeJS.Timeout {
    const { commandTimeoutMs } = this.#options;
    return setTimeout(() => {
      if (!client.isOpen) return;
      this.#failure = `no answer within ${commandTimeoutMs} ms`;
      client.destroy();
      this.#client = this.#open();
    }, commandTimeoutMs).unref();
  }

  async #readPolicy(client: Client): Promise<void> {
    const log = this.#log;
    if (log === undefined) return;
    // An access policy may forbid the command.
    const info = await client.info("memory").catch(() => "");
    if (this.#log === undefined) return;
    this.#log = undefined;
    const [, policy] = /^maxmemory_policy:([\w-]+)/m.exec(info) ?? [];
    if (policy === undefined || policy === "noeviction") return;
    const remedy = "set its maxmemory policy to noeviction, or events may be handled again";
    log.warn({ policy }, `Redis evicts keys when its memory is full: ${remedy}`);
  }

  #open(): Client {
    const { url, password, credential } = this.#options;
    const { createClient } = nodeRedis();
    const client = createClient({
      url,
      disableOfflineQueue: true,
      commandOptions: { timeout: 0 }, // see `withoutTimeout`
      ...(password && { password }),
      ...(!password && credential && { credentialsProvider: credentialsProvider(credential) }),
    });
    let connecting: NodeJS.Timeout | undefined;
    client.on("connect", () => {
      connecting = this.#watch(client);
    });
    client.on("ready", () => {
      clearTimeout(connecting);
      this.#failure = undefined;
      void this.#readPolicy(client);
    });
    // The client connects again by itself; the store reports why its commands fail.
    client.on("error", (error: Error & { readonly code?: string }) => {
      clearTimeout(connecting);
      this.#failure = error.message || error.code;
    });
    client.connect().catch(() => {});
    return client;
  }
}

interface Client extends NodeRedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  info(section: string): Promise<string>;
  destroy(): void;
}

function credentialsProvider(credential: TokenCredential) {
  const { DEFAULT_TOKEN_MANAGER_CONFIG, EntraIdCredentialsProviderFactory, REDIS_SCOPE_DEFAULT } =
    entraid();
  return EntraIdCredentialsProviderFactory.createForDefaultAzureCredential({
    credential,
    scopes: REDIS_SCOPE_DEFAULT,
    tokenManagerConfig: DEFAULT_TOKEN_MANAGER_CONFIG,
  });
}

// Bundlers accept that an optional package is missing only if `require` is in a `try`.

function nodeRedis(): typeof import("redis") {
  try {
    return require("redis");
  } catch (error) {
    throw notInstalled("redis", error);
  }
}

function entraid(): typeof import("@redis/entraid") {
  try {
    return require("@redis/entraid");
  } catch (error) {
    throw notInstalled("@redis/entraid", error);
  }
}

/** The error to throw when a package cannot be loaded. */
function notInstalled(name: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) {
    return error;
  }
  const message = `the package ${name} is not installed: npm install ${name}`;
  return new RedisConfigurationError([{ field: name, rule: "installed", message }]);
}
