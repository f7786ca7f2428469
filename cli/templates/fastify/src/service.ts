import { DefaultAzureCredential } from "@azure/identity"; // if both
import {
  bindingFromEnvironment,
  createPublisher, // if both
} from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify from "fastify";
import {
  events,
  published, // if both
} from "./events.js";
import { handlers } from "./handlers.js";

/** What a test sets. */
export interface ServiceOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Port to listen on. @default the binding's handshakePort */
  readonly port?: number;
  /** Milliseconds between the end of readiness and the end of listening. @default 5_000 */
  readonly drainLagMs?: number;
}

/** Your Fastify app with the webhook of the binding. */
export function createService(options: ServiceOptions = {}) {
  const { env = process.env, port, drainLagMs = 5_000 } = options;
  const binding = bindingFromEnvironment("ORDERS", { direction: "input, output", env });
  const isEntra = binding.publishWith === "entra"; // if both
  const signIn = isEntra && { credential: new DefaultAzureCredential() }; // if both
  const publisher = createPublisher(binding, { events: published, source: "/orders", ...signIn }); // if both
  const app = fastify({ logger: true, http: { maxHeaderSize: 65_536 } });
  app.register(eventGridWebhook, {
    binding,
    events,
    on: handlers,
    // Until every type has a handler, other events are retried instead of lost. // if example-events
    unhandled: "retry", // if example-events
    drainLagMs,
  });
  app.get("/healthz", async () => ({ alive: true }));
  app.get("/readyz", (_, reply) => reply.code(app.eventGrid.isReady() ? 200 : 503).send());
  return {
    publisher, // if both
    /** Listens; resolves with the URL of this machine. */
    start: () => app.listen({ host: "0.0.0.0", port: port ?? Number(binding.handshakePort) }),
    /** Finishes deliveries in flight, then stops. */
    stop: async () => {
      await app.eventGrid.drain();
      await app.close();
      await publisher.close(); // if both
    },
  };
}
