import { hasProgram } from "../support/programs.js";
import { RedisServer } from "../support/redis-server.js";

const PASSWORD = "s3cret";

/** The Redis of an example's service. Without redis-server, the service remembers in memory. */
export class RedisOfService {
  static async start(): Promise<RedisOfService> {
    return new RedisOfService(
      hasProgram("redis-server") ? await RedisServer.start("--requirepass", PASSWORD) : undefined,
    );
  }

  private constructor(private readonly server: RedisServer | undefined) {}

  /** Replaces the address in the environment of the service. */
  environment(prefix: string): Record<string, string> {
    return {
      [`${prefix}_DEDUPLICATION_REDIS`]: this.server ? `127.0.0.1:${this.server.port}` : "",
      [`${prefix}_DEDUPLICATION_PASSWORD`]: PASSWORD,
    };
  }

  /** The events that the replicas remember as handled; `undefined` without redis-server. */
  async handled(): Promise<number | undefined> {
    if (this.server === undefined) return undefined;
    const { createClient } = await import("redis");
    const url = `redis://:${PASSWORD}@127.0.0.1:${this.server.port}`;
    const client = await createClient({ url }).connect();
    const keys = await client.keys("*");
    const states = keys.length === 0 ? [] : await client.mGet(keys);
    await client.close();
    return states.filter((state) => state === "done").length;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }
}
