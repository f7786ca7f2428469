import { createClient } from "redis";
import { RedisServer } from "../support/redis-server.js";

const PASSWORD = "s3cret";

/** The Redis of an example's service. */
export class RedisOfService {
  static async start(): Promise<RedisOfService> {
    return new RedisOfService(await RedisServer.start("--requirepass", PASSWORD));
  }

  /** Replaces the URL in the environment of the service. */
  readonly environment: { readonly REDIS_URL: string };

  private constructor(private readonly server: RedisServer) {
    this.environment = { REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${server.port}` };
  }

  /** The number of events that the replicas remember as handled. */
  async handled(): Promise<number> {
    const client = await createClient({ url: this.environment.REDIS_URL }).connect();
    const keys = await client.keys("*");
    const states = keys.length === 0 ? [] : await client.mGet(keys);
    await client.close();
    return states.filter((state) => state === "done").length;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
