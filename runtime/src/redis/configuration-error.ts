import { ConfigurationError, type Problem } from "../validation/index.js";

/** The options or the environment of a Redis store are invalid. */
export class RedisConfigurationError extends ConfigurationError {
  readonly code = "ERR_REDIS_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The Redis store cannot be created", problems);
  }
}
