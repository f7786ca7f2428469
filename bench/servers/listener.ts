/** Our plugin with its default settings and a catalogue. */
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/listener";
import fastify from "fastify";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options } from "./serve.js";

const { authorityHost, ...settings } = options<{ authorityHost: string; deduplication?: false }>();
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
  events: defineEvents({ "bench.order.placed": type<unknown>() }),
  on: { "bench.order.placed": (event) => count(event.type) },
});
await listen(app);
