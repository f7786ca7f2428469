import { createHash, hash, randomBytes } from "node:crypto";
import { ConfigurationError } from "../errors.js";
import type { Claim, DeduplicationStore, EventKey, SettledLease } from "../handling/index.js";
import type { Log } from "../observability.js";
import { groupsOf } from "../text.js";
import { DAY_MS, MINUTE_MS } from "../units.js";
import {
  durationMs,
  group,
  isObject,
  patternRule,
  predicateRule,
  problemsOf,
} from "../validation/index.js";

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

/** Finds a URL, a client whose `connect()` is not awaited, and `@upstash/redis`, which emits no events. */
const CLIENT_RULE = predicateRule({
  requirement: { "redis-client": "must be a client of redis or ioredis" },
  test: (client) =>
    isObject(client) && ("evalSha" in client || ("evalsha" in client && "on" in client)),
  explain: (client) => {
    if (client instanceof Promise) return "is a promise: await it";
    return isObject(client) && "evalsha" in client
      ? "is one of another library, such as @upstash/redis: connect one of ioredis to the same Redis"
      : undefined;
  },
});

/**
 * The same client without node-redis's timeout, which only limits the time until a command is sent.
 * The listener has its own, and the signal that node-redis creates for it takes as long as all the
 * rest of a command.
 */
function withoutTimeout(client: RedisClient): RedisClient {
  if (!("withCommandOptions" in client)) return client;
  return client.withCommandOptions?.({ timeout: 0 }) ?? client;
}

/** A Lua script, which Redis runs atomically. All of its keys must be in one slot of a cluster. */
class Script {
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

/** Options of {@link redisDeduplication}. */
export interface RedisDeduplicationOptions {
  /**
   * Start of every key. Services with the same application and the same path need different ones if
   * they share a Redis.
   * @default "eventgrid:"
   */
  readonly prefix?: string | undefined;
  /**
   * How long handled events are remembered, in milliseconds. Event Grid retries for a day.
   * @default 24 hours
   */
  readonly rememberMs?: number | undefined;
  /**
   * How long a claim lasts unless it is extended, in milliseconds. It must be longer than the
   * listener's `deadlineMs`. The events of a replica that died are handled after this time.
   * @default 60_000
   */
  readonly leaseMs?: number | undefined;
}

/**
 * Claims events that are neither claimed nor handled. Returns a digit for each event: 0 if it was
 * claimed, 1 if it is being handled, 2 if it was handled. Clients read one string much faster than
 * a list.
 */
const CLAIM = new Script(`
local call, token, leaseMs, states, seen = redis.call, ARGV[1], ARGV[2], {}, {}
for i, key in ipairs(KEYS) do
  if call("SET", key, token, "NX", "PX", leaseMs) then
    states[i] = 0
  else
    local holder = redis.pcall("GET", key)
    if type(holder) == "table" and holder.err then
      -- The key is not a string. A script is not rolled back: without this, the claims made so far
      -- would stay.
      for j = 1, i - 1 do
        if states[j] == 0 then call("DEL", KEYS[j]) end
      end
      return holder
    end
    -- The same token: a client repeated the command after a connection broke.
    states[i] = holder == "done" and 2 or (holder == token and not seen[key] and 0 or 1)
  end
  seen[key] = true
end
return table.concat(states)`);

/**
 * Stores the outcome of events: the first ARGV[2] were handled, the others are released if they still
 * have the token of their claim. A handled event is remembered even if its claim was lost, such as by
 * a failover.
 */
const SETTLE = new Script(`
local call, rememberMs, handled = redis.call, ARGV[1], tonumber(ARGV[2])
for i, key in ipairs(KEYS) do
  if i <= handled then
    call("SET", key, "done", "PX", rememberMs)
  elseif redis.pcall("GET", key) == ARGV[2 + i - handled] then
    call("DEL", key)
  end
end`);

/** Extends claims by their tokens, from ARGV[2] on, or makes them again if they were lost. */
const EXTEND = new Script(`
for i, key in ipairs(KEYS) do
  local holder, token = redis.pcall("GET", key), ARGV[i + 1]
  if not holder or holder == token then redis.call("SET", key, token, "PX", ARGV[1]) end
end`);

const storeChecks = group<RedisDeduplicationOptions>({
  prefix: patternRule({
    requirement: { "key-prefix": "must be 1 to 100 characters without white space and braces" },
    pattern: "^[!-z|~]{1,100}$",
  }),
  rememberMs: durationMs,
  leaseMs: durationMs,
});

/**
 * Remembers handled events in Redis, for several replicas of a listener.
 *
 * The client belongs to you: its TLS, authentication and cluster settings, and closing it after the
 * listener. Let it fail fast while Redis is unreachable (`disableOfflineQueue` of node-redis,
 * `enableOfflineQueue: false` of ioredis); deliveries are then answered with 503 and retried.
 *
 * @example
 * ```ts
 * const client = new Redis("rediss://…", { enableOfflineQueue: false, socketTimeout: 30_000 });
 * const listener = createListener(binding, { on, deduplication: redisDeduplication(client) });
 * ```
 *
 * @throws {ConfigurationError} when the client or an option is invalid
 */
export function redisDeduplication(
  client: RedisClient,
  options: RedisDeduplicationOptions = {},
): DeduplicationStore {
  const problems = [
    ...problemsOf(CLIENT_RULE, "client", client),
    ...problemsOf(storeChecks, "", options),
  ];
  if (problems.length > 0)
    throw new ConfigurationError("The Redis store cannot be created", problems);
  return new RedisDeduplication(client, options);
}

class RedisDeduplication implements DeduplicationStore<RedisLease> {
  readonly leaseMs: number;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #rememberMs: string;
  /** Unique to this store, so that tokens are unique to their claim. */
  readonly #id = randomBytes(9).toString("base64url");
  #claims = 0;
  /** The beginning of the keys of the last subscription: most events are of the same one. */
  #slot: { readonly subscriptionKey: string; readonly start: string } | undefined;
  /** Set until Redis was asked whether it evicts keys. */
  #log: Log | undefined;
  #isAsked = false;

  constructor(client: RedisClient, options: RedisDeduplicationOptions) {
    this.#client = withoutTimeout(client);
    this.#prefix = options.prefix ?? "eventgrid:";
    this.#rememberMs = String(options.rememberMs ?? DAY_MS);
    this.leaseMs = options.leaseMs ?? MINUTE_MS;
  }

  open(log: Log): void {
    if (!this.#isAsked) this.#log = log;
  }

  async claim(events: readonly EventKey[]): Promise<readonly Claim<RedisLease>[]> {
    if (events.length === 0) return [];
    const keys = events.map((event) => this.#keyOf(event));
    this.#claims += 1;
    const token = `${this.#id}:${this.#claims.toString(36)}`;
    // Clients can be set to reply with Buffers.
    const states = String(await CLAIM.run(this.#client, keys, [token, String(this.leaseMs)]));
    if (states.length !== keys.length || /[^012]/.test(states)) {
      throw new Error("Redis returned no claims");
    }
    if (this.#log !== undefined) void this.#warnOfEviction(this.#log);
    return keys.map((key, index) => {
      if (states[index] === "0") return { key, token };
      return states[index] === "2" ? "done" : "running";
    });
  }

  async settle(outcomes: readonly SettledLease<RedisLease>[]): Promise<void> {
    const handled = outcomes.filter(({ isHandled }) => isHandled).map(({ lease }) => lease.key);
    const released = outcomes.filter(({ isHandled }) => !isHandled).map(({ lease }) => lease);
    await SETTLE.run(
      this.#client,
      [...handled, ...released.map(({ key }) => key)],
      [this.#rememberMs, String(handled.length), ...released.map(({ token }) => token)],
    );
  }

  async extend(leases: readonly RedisLease[]): Promise<void> {
    const tokens = leases.map(({ token }) => token);
    const keys = leases.map(({ key }) => key);
    await EXTEND.run(this.#client, keys, [String(this.leaseMs), ...tokens]);
  }

  /** Asks once, with the first claim: a Redis that was not reached yet could not answer. */
  async #warnOfEviction(log: Log): Promise<void> {
    this.#log = undefined;
    this.#isAsked = true;
    // An access policy may forbid the command.
    const info = await this.#client.info?.("memory").catch(() => "");
    const [policy] = groupsOf(/^maxmemory_policy:([\w-]*)/m, String(info));
    if (policy === "" || policy === "noeviction") return;
    const remedy = "set its maxmemory policy to noeviction, or events may be handled again";
    log.warn({ policy }, `Redis evicts keys when its memory is full: ${remedy}`);
  }

  /**
   * The braces are a hash tag: in a cluster, all events of a subscription are in one slot, so that a
   * delivery is claimed with one script. JSON keeps different events apart: it escapes line ends, and
   * lone surrogates, which UTF-8 does not have.
   */
  #keyOf({ consumer, subscriptionKey, source, id }: EventKey): string {
    if (this.#slot?.subscriptionKey !== subscriptionKey) {
      const tag = digest(subscriptionKey).slice(0, TAG_LENGTH);
      this.#slot = { subscriptionKey, start: `${this.#prefix}{${tag}}` };
    }
    const event = JSON.stringify([consumer, subscriptionKey, source, id]);
    return `${this.#slot.start}${digest(event)}`;
  }
}

/** The token is that of the claim, so that no other claim's lease is released or extended. */
interface RedisLease {
  readonly key: string;
  readonly token: string;
}

const TAG_LENGTH = 8;

function digest(text: string): string {
  return hash("sha256", text, "base64url");
}
