export type { RedisClient } from "./redis-client.js";
export {
  type RedisDeduplicationOptions,
  redisDeduplication,
} from "./redis-deduplication.js";
