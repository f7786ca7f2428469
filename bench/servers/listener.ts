/** This project's plugin with a catalogue and its defaults, unless the options change them. */
import { once } from "node:events";
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { type RedisClient, redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import fastify from "fastify";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options } from "./serve.js";

const { authorityHost, synchronous, redis, ...settings } = options<{
  authorityHost: string;
  /** Whether the handler is synchronous, which handlers of real services are not. */
  synchronous?: boolean;
  deduplication?: false;
  /** The Redis that remembers the events. */
  redis?: { client: "ioredis" | "node-redis"; url: string };
}>();
const deduplication = redis && redisDeduplication(await connect(redis.client, redis.url));
const app = fastify();
await app.register(eventGridWebhook, {
  binding: {
    cloudTenantId: TENANT,
    cloudClientId: CLIENT,
    cloudAuthorityHost: authorityHost,
    handshakePort: "9000",
    path: "/api/events",
  },
  ...settings,
  ...(deduplication && { deduplication }),
  events: defineEvents({ "bench.order.placed": type<unknown>() }),
  on: {
    "bench.order.placed": synchronous
      ? (event) => count(event.type)
      : async (event) => count(event.type),
  },
});
await listen(app);

async function connect(client: "ioredis" | "node-redis", url: string): Promise<RedisClient> {
  if (client === "node-redis") {
    return createClient({ url, disableOfflineQueue: true }).connect();
  }
  const ioredis = new Redis(url, { enableOfflineQueue: false, socketTimeout: 30_000 });
  await once(ioredis, "ready");
  return ioredis;
}
