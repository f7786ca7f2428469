export {
  type RedisClient,
  type RedisDeduplicationOptions,
  redisDeduplication,
} from "./redis-deduplication.js";
