import { Token } from "cdktf";
import {
  type Check,
  group,
  isObject,
  patternRule,
  problem,
  problemsOf,
  required,
  wrongType,
} from "cloud-eventgrid-binding-runtime/contract";

/** A Redis resource of the azurerm provider: `ManagedRedis` or `RedisCache`. */
export interface RedisResource {
  readonly hostname: string;
  /** The port of a `RedisCache`. @default 10000, the port of every Azure Managed Redis */
  readonly sslPort?: number;
}

/** The Redis in which the replicas of the service remember which events they have handled. */
export interface SharedDeduplication {
  /** The resource, or its host name and port for one that is not part of the app. */
  readonly redis: RedisResource | string;
  /**
   * Reference to the password, such as the value of a Key Vault secret. A literal is refused.
   *
   * @default none: the service authenticates with its Entra identity, which needs an access policy
   * assignment on the Redis
   */
  readonly password?: string;
}

const addressRule = patternRule({
  name: "address",
  requirement: "must be a host name with a port, such as shop.westeurope.redis.azure.net:10000",
  pattern: "^[0-9A-Za-z.-]+:[0-9]{1,5}$",
});

const redis: Check = {
  problems(field, value) {
    if (Token.isUnresolved(value)) return [];
    if (!isObject(value)) return problemsOf(addressRule, field, value);
    if (typeof value.hostname === "string") return [];
    const requirement = "must be a ManagedRedis, a RedisCache, or a host name with a port";
    return [wrongType(field, requirement, value)];
  },
};

const password: Check = {
  problems(field, value) {
    if (Token.isUnresolved(value)) return [];
    const message = "must be a reference, because the state and the code show a literal";
    return [problem(field, "secret", message)];
  },
};

export const sharedDeduplicationCheck = group<SharedDeduplication>({
  redis: required(redis),
  password,
});

/** The variables that `deduplicationFromEnvironment(prefix)` reads. */
export function deduplicationEnvironment(
  prefix: string,
  { redis, password }: SharedDeduplication,
): { readonly variables: Record<string, string>; readonly secrets: Record<string, string> } {
  const address =
    typeof redis === "string" ? redis : `${redis.hostname}:${redis.sslPort ?? MANAGED_REDIS_PORT}`;
  return {
    variables: { [`${prefix}_DEDUPLICATION_REDIS`]: address },
    secrets: password === undefined ? {} : { [`${prefix}_DEDUPLICATION_PASSWORD`]: password },
  };
}

/** @see https://learn.microsoft.com/azure/redis/development-faq */
const MANAGED_REDIS_PORT = 10_000;
