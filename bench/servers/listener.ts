/**
 * This project's listener with a catalogue and its defaults, unless the options change them: as
 * plugin, as server of its own, or in a server of Node.
 */
import { createServer } from "node:http";
import { createListener, createWebhook, defineEvents, type } from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import fastify from "fastify";
import { createClient } from "redis";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options, report, serve } from "./serve.js";

const {
  authorityHost,
  redis,
  host = "plugin",
  ...settings
} = options<{
  authorityHost: string;
  /** What the webhook runs in. */
  host?: "plugin" | "standalone" | "node";
  deduplication?: false;
  /** The Redis that remembers the events. */
  redis?: string;
}>();
const client = redis && (await createClient({ url: redis, disableOfflineQueue: true }).connect());
const deduplication = client && redisDeduplication(client);
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
  // Handlers of real services are asynchronous.
  on: { "bench.order.placed": async ({ type }: { type: string }) => count(type) },
};
if (host === "plugin") {
  const app = fastify();
  await app.register(eventGridWebhook, { binding, ...service });
  await listen(app);
} else if (host === "standalone") {
  const server = { logger: false, health: false, host: "127.0.0.1", port: 0 } as const;
  report(await createListener(binding, { ...service, ...server }).listen());
} else {
  serve(createServer(createWebhook(binding, { ...service, logger: false }).node));
}
