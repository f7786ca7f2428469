/** Ours: the plugin with a catalogue and its defaults, except for what the options change. */
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/listener";
import fastify from "fastify";
import { CLIENT, TENANT } from "../harness/issuer.js";
import { count, listen, options } from "./serve.js";

const { authorityHost, synchronous, ...settings } = options<{
  authorityHost: string;
  /** Whether the handler is synchronous, which handlers of real services are not. */
  synchronous?: boolean;
  deduplication?: false;
}>();
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
  on: {
    "bench.order.placed": synchronous
      ? (event) => count(event.type)
      : async (event) => count(event.type),
  },
});
await listen(app);
