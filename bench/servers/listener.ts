/**
 * This project's listener with a catalogue and its defaults, unless the options change them: as
 * plugin, as server of its own, or in a server of Node.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { createListener, createWebhook, defineEvents, type } from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { type RedisClient, redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import fastify from "fastify";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options, report, serve } from "./serve.js";

const {
  authorityHost,
  synchronous,
  redis,
  host = "plugin",
  logger = false,
  ...settings
} = options<{
  authorityHost: string;
  /** What the webhook runs in. */
  host?: "plugin" | "standalone" | "node";
  /** Whether the handler is synchronous, which handlers of real services are not. */
  synchronous?: boolean;
  deduplication?: false;
  /** Whether the standalone server has its default log. */
  logger?: boolean;
  /** The Redis that remembers the events. */
  redis?: { client: "ioredis" | "node-redis"; url: string };
}>();
const deduplication = redis && redisDeduplication(await connect(redis.client, redis.url));
const binding = {
  cloudTenantId: TENANT,
  cloudClientId: CLIENT,
  cloudAuthorityHost: authorityHost,
  handshakePort: "9000",
  path: "/api/events",
};
const service = {
  ...settings,
  ...(deduplication && { deduplication }),
  events: defineEvents({ "bench.order.placed": type<unknown>() }),
  on: {
    "bench.order.placed": synchronous
      ? ({ type }: { type: string }) => count(type)
      : async ({ type }: { type: string }) => count(type),
  },
};
if (host === "plugin") {
  const app = fastify();
  await app.register(eventGridWebhook, { binding, ...service });
  await listen(app);
} else if (host === "standalone") {
  const server = { logger, health: false, host: "127.0.0.1", port: 0 } as const;
  report(await createListener(binding, { ...service, ...server }).listen());
} else {
  serve(createServer(createWebhook(binding, { ...service, logger: false }).node));
}

async function connect(client: "ioredis" | "node-redis", url: string): Promise<RedisClient> {
  if (client === "node-redis") {
    return createClient({ url, disableOfflineQueue: true }).connect();
  }
  const ioredis = new Redis(url, { enableOfflineQueue: false, socketTimeout: 30_000 });
  await once(ioredis, "ready");
  return ioredis;
}
