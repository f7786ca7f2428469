import { randomBytes } from "node:crypto";
import type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  Settlement,
} from "../deduplication/index.js";
import { durationMs, optionsCheck, patternRule } from "../validation/index.js";
import { RedisConfigurationError } from "./configuration-error.js";
import { type RedisClient, Script } from "./redis-client.js";

/** Options of {@link redisDeduplication}. */
export interface RedisDeduplicationOptions {
  /**
   * Start of every key. Services that share a Redis need different ones.
   * @default "eventgrid:"
   */
  readonly prefix?: string;
  /**
   * How long handled events are remembered, in milliseconds. Event Grid retries for a day.
   * @default 24 hours
   */
  readonly rememberMs?: number;
  /**
   * How long a claim lasts unless it is extended, in milliseconds. It must be longer than the
   * listener's `deadlineMs`. The events of a replica that died are handled after this time.
   * @default 60_000
   */
  readonly leaseMs?: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Claims events that nobody holds: 0 for a claimed one, 1 for one that runs, 2 for a handled one. */
const CLAIM = new Script(`
local states = {}
for i, key in ipairs(KEYS) do
  if redis.call("SET", key, ARGV[1], "NX", "PX", ARGV[2]) then
    states[i] = 0
  else
    local holder = redis.call("GET", key)
    -- The same token: a client repeated the command after a connection broke.
    states[i] = holder == "done" and 2 or (holder == ARGV[1] and 0 or 1)
  end
end
return states`);

/**
 * Stores the outcome of events, for each a "+" if it was handled, otherwise the token of its claim. A handled
 * event is remembered even if its claim was lost, such as by a failover.
 */
const SETTLE = new Script(`
for i, key in ipairs(KEYS) do
  local outcome = ARGV[i + 1]
  if outcome == "+" then
    redis.call("SET", key, "done", "PX", ARGV[1])
  elseif redis.call("GET", key) == outcome then
    redis.call("DEL", key)
  end
end`);

/** Extends a claim, or makes it again if it was lost. */
const EXTEND = new Script(`
local holder = redis.call("GET", KEYS[1])
if not holder or holder == ARGV[1] then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end`);

const checkOptions = optionsCheck<RedisDeduplicationOptions>({
  prefix: patternRule({
    name: "key-prefix",
    requirement: "must be 1 to 100 characters without white space and braces",
    pattern: "^[!-z|~]{1,100}$",
  }),
  rememberMs: durationMs,
  leaseMs: durationMs,
});

/**
 * Remembers handled events in Redis, for several replicas of a listener.
 *
 * The client belongs to you: its TLS, authentication and cluster settings, and closing it. Let it fail
 * fast while Redis is unreachable (`disableOfflineQueue` of node-redis, `enableOfflineQueue: false` of
 * ioredis); deliveries are then answered with 503 and retried.
 *
 * @example
 * ```ts
 * const client = await createClient({ url: "rediss://…", disableOfflineQueue: true }).connect();
 * const listener = createListener(binding, { on, deduplication: redisDeduplication(client) });
 * ```
 *
 * @throws {RedisConfigurationError} when an option is invalid
 */
export function redisDeduplication(
  client: RedisClient,
  options: RedisDeduplicationOptions = {},
): DeduplicationStore {
  const problems = checkOptions("", options);
  if (problems.length > 0) throw new RedisConfigurationError(problems);
  return new RedisDeduplication(client, options);
}

class RedisDeduplication implements DeduplicationStore {
  readonly leaseMs: number;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #rememberMs: string;
  /** Unique to this store, so that tokens are unique to their claim. */
  readonly #id = randomBytes(9).toString("base64url");
  #claims = 0;

  constructor(client: RedisClient, options: RedisDeduplicationOptions) {
    this.#client = client;
    this.#prefix = options.prefix ?? "eventgrid:";
    this.#rememberMs = String(options.rememberMs ?? DAY);
    this.leaseMs = options.leaseMs ?? MINUTE;
  }

  async claim(event: EventKey): Promise<Claim> {
    const [claim] = await this.#claim([this.#keyOf(event)]);
    return claim ?? "running";
  }

  async claimMany(events: readonly EventKey[]): Promise<readonly Claim[]> {
    return events.length === 0 ? [] : this.#claim(events.map((event) => this.#keyOf(event)));
  }

  async #claim(keys: string[]): Promise<Claim[]> {
    this.#claims += 1;
    const token = `${this.#id}:${this.#claims.toString(36)}`;
    const states = await CLAIM.run(this.#client, keys, [token, String(this.leaseMs)]);
    if (!Array.isArray(states)) throw new Error("Redis returned no list of claims");
    return keys.map((key, index) => {
      const state = Number(states[index]);
      if (state === 0) return new RedisLease(this, key, token);
      return state === 2 ? "done" : "running";
    });
  }

  async settleMany(settlements: readonly Settlement[]): Promise<void> {
    const bySubscription = new Map<string, { keys: string[]; args: string[] }>();
    for (const { lease, isHandled } of settlements) {
      if (!(lease instanceof RedisLease)) throw new TypeError("the lease is not from this store");
      // The keys of one script must be in one slot of a cluster.
      const tag = lease.key.slice(0, lease.key.indexOf("}"));
      const { keys, args } = bySubscription.get(tag) ?? { keys: [], args: [this.#rememberMs] };
      keys.push(lease.key);
      args.push(isHandled ? "+" : lease.token);
      bySubscription.set(tag, { keys, args });
    }
    await Promise.all(
      [...bySubscription.values()].map(({ keys, args }) => SETTLE.run(this.#client, keys, args)),
    );
  }

  /** @internal */
  async extend({ key, token }: RedisLease): Promise<void> {
    await EXTEND.run(this.#client, [key], [token, String(this.leaseMs)]);
  }

  /**
   * The braces are a hash tag: in a cluster, all events of a subscription are in one slot, so that a
   * delivery is claimed with one script.
   */
  #keyOf({ subscriptionName, source, id }: EventKey): string {
    return `${this.#prefix}{${subscriptionName || "-"}}${source}\n${id}`;
  }
}

class RedisLease implements Lease {
  constructor(
    private readonly store: RedisDeduplication,
    readonly key: string,
    readonly token: string,
  ) {}

  extend(): Promise<void> {
    return this.store.extend(this);
  }

  done(): Promise<void> {
    return this.store.settleMany([{ lease: this, isHandled: true }]);
  }

  release(): Promise<void> {
    return this.store.settleMany([{ lease: this, isHandled: false }]);
  }
}
