import { hash, randomBytes } from "node:crypto";
import type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  SettledLease,
} from "../deduplication/index.js";
import { durationMs, group, patternRule, problemsOf } from "../validation/index.js";
import { RedisConfigurationError } from "./configuration-error.js";
import { CLIENT_RULE, type RedisClient, Script, withoutTimeout } from "./redis-client.js";

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

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Claims events that are neither claimed nor handled. Returns a digit for each event: 0 if it was
 * claimed, 1 if it is being handled, 2 if it was handled. Clients read one string much faster than
 * a list.
 */
const CLAIM = new Script(`
local call, token, leaseMs, states = redis.call, ARGV[1], ARGV[2], {}
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
    states[i] = holder == "done" and 2 or (holder == token and 0 or 1)
  end
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

/** Extends a claim, or makes it again if it was lost. */
const EXTEND = new Script(`
local holder = redis.call("GET", KEYS[1])
if not holder or holder == ARGV[1] then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end`);

export const REDIS_OPTIONS = {
  prefix: patternRule({
    name: "key-prefix",
    requirement: "must be 1 to 100 characters without white space and braces",
    pattern: "^[!-z|~]{1,100}$",
  }),
  rememberMs: durationMs,
  leaseMs: durationMs,
};

const storeChecks = group<RedisDeduplicationOptions>(REDIS_OPTIONS);

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
 * @throws {RedisConfigurationError} when the client or an option is invalid
 */
export function redisDeduplication(
  client: RedisClient,
  options: RedisDeduplicationOptions = {},
): DeduplicationStore {
  const problems = [
    ...problemsOf(CLIENT_RULE, "client", client),
    ...problemsOf(storeChecks, "", options),
  ];
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
  /** How the keys of the last subscription begin: most events are of the same one. */
  #slot: { readonly subscriptionName: string; readonly start: string } | undefined;

  constructor(client: RedisClient, options: RedisDeduplicationOptions) {
    this.#client = withoutTimeout(client);
    this.#prefix = options.prefix ?? "eventgrid:";
    this.#rememberMs = String(options.rememberMs ?? DAY);
    this.leaseMs = options.leaseMs ?? MINUTE;
  }

  async claim(event: EventKey): Promise<Claim> {
    const [claim] = await this.#claim([event]);
    return claim ?? "running";
  }

  async claimMany(events: readonly EventKey[]): Promise<readonly Claim[]> {
    return events.length === 0 ? [] : this.#claim(events);
  }

  async #claim(events: readonly EventKey[]): Promise<Claim[]> {
    const keys = events.map((event) => this.#keyOf(event));
    this.#claims += 1;
    const token = `${this.#id}:${this.#claims.toString(36)}`;
    const states = await CLAIM.run(this.#client, keys, [token, String(this.leaseMs)]);
    if (typeof states !== "string" || states.length !== keys.length) {
      throw new Error("Redis returned no claims");
    }
    return keys.map((key, index) => {
      if (states[index] === "0") return new RedisLease(this, key, token);
      return states[index] === "2" ? "done" : "running";
    });
  }

  async settleMany(settlements: readonly SettledLease[]): Promise<void> {
    const bySlot = new Map<string, { handled: string[]; released: RedisLease[] }>();
    for (const { lease, isHandled } of settlements) {
      if (!(lease instanceof RedisLease)) throw new TypeError("the lease is not from this store");
      // The keys of one script must be in one slot of a cluster.
      const slot = lease.key.slice(0, -DIGEST_LENGTH);
      let group = bySlot.get(slot);
      if (group === undefined) {
        group = { handled: [], released: [] };
        bySlot.set(slot, group);
      }
      if (isHandled) group.handled.push(lease.key);
      else group.released.push(lease);
    }
    await Promise.all(
      [...bySlot.values()].map(({ handled, released }) =>
        SETTLE.run(
          this.#client,
          [...handled, ...released.map(({ key }) => key)],
          [this.#rememberMs, String(handled.length), ...released.map(({ token }) => token)],
        ),
      ),
    );
  }

  /** @internal */
  async extend({ key, token }: RedisLease): Promise<void> {
    await EXTEND.run(this.#client, [key], [token, String(this.leaseMs)]);
  }

  /**
   * The braces are a hash tag: in a cluster, all events of a subscription are in one slot, so that a
   * delivery is claimed with one script. JSON keeps different events apart: it escapes line ends, and
   * lone surrogates, which UTF-8 does not have.
   */
  #keyOf({ consumer, subscriptionName, source, id }: EventKey): string {
    if (this.#slot?.subscriptionName !== subscriptionName) {
      const tag = digest(subscriptionName).slice(0, TAG_LENGTH);
      this.#slot = { subscriptionName, start: `${this.#prefix}{${tag}}` };
    }
    const event = JSON.stringify([consumer, subscriptionName, source, id]);
    return `${this.#slot.start}${digest(event)}`;
  }
}

const TAG_LENGTH = 8;
const DIGEST_LENGTH = 43;

function digest(text: string): string {
  return hash("sha256", text, "base64url");
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
