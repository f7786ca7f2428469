import { createHash } from "node:crypto";
import { isObject, predicateRule } from "../validation/index.js";

/** The commands that the store needs of a client, pool or cluster of node-redis (`redis`). */
interface NodeRedisClient {
  eval(script: string, options: NodeRedisArguments): Promise<unknown>;
  evalSha(sha: string, options: NodeRedisArguments): Promise<unknown>;
  withCommandOptions?(options: { timeout: number }): NodeRedisClient;
  info?(section: string): Promise<unknown>;
}

interface NodeRedisArguments {
  keys: string[];
  arguments: string[];
}

/** The commands that the store needs of a client or cluster of `ioredis`. */
interface IoRedisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  info?(section: string): Promise<unknown>;
}

/** A client of node-redis or ioredis. Connect it and close it yourself. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** Finds a URL that is passed instead of a client, and a client whose `connect()` is not awaited. */
export const CLIENT_RULE = predicateRule({
  name: "redis-client",
  requirement: "must be a client of redis or ioredis",
  test: (client) => isObject(client) && ("evalSha" in client || "evalsha" in client),
  explain: (client) => (client instanceof Promise ? "is a promise: await it" : undefined),
});

/**
 * The same client without node-redis's timeout, which only limits the time until a command is sent.
 * The listener has its own, and the signal that node-redis creates for it takes as long as all the
 * rest of a command.
 */
export function withoutTimeout(client: RedisClient): RedisClient {
  if (!("withCommandOptions" in client)) return client;
  return client.withCommandOptions?.({ timeout: 0 }) ?? client;
}

/** A Lua script, which Redis runs atomically. All of its keys must be in one slot of a cluster. */
export class Script {
  readonly #sha: string;

  constructor(private readonly text: string) {
    this.#sha = createHash("sha1").update(text).digest("hex");
  }

  /** Runs the script by its hash. Redis has forgotten its scripts after a restart or a failover. */
  async run(client: RedisClient, keys: string[], args: string[]): Promise<unknown> {
    try {
      return await ("evalSha" in client
        ? client.evalSha(this.#sha, { keys, arguments: args })
        : client.evalsha(this.#sha, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    }
    return "evalSha" in client
      ? client.eval(this.text, { keys, arguments: args })
      : client.eval(this.text, keys.length, ...keys, ...args);
  }
}
