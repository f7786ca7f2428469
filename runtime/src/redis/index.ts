export type { RedisClient } from "./redis-client.js";
export {
  RedisConfigurationError,
  type RedisDeduplicationOptions,
  redisDeduplication,
} from "./redis-deduplication.js";
