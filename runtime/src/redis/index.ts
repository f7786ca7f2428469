export { RedisConfigurationError } from "./configuration-error.js";
export {
  deduplicationFromEnvironment,
  type EnvironmentDeduplicationOptions,
} from "./deduplication-from-environment.js";
export type { RedisClient } from "./redis-client.js";
export { type RedisDeduplicationOptions, redisDeduplication } from "./redis-deduplication.js";
