import { once } from "node:events";
import { createServer } from "node:http";
import { DefaultAzureCredential } from "@azure/identity"; // if both
import {
  bindingFromEnvironment,
  createPublisher, // if both
  createWebhook,
} from "cloud-eventgrid-binding-runtime";
import express from "express";
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

/** Your Express app with the webhook of the binding. */
export function createService(options: ServiceOptions = {}) {
  const { env = process.env, port, drainLagMs = 5_000 } = options;
  const binding = bindingFromEnvironment("ORDERS", { direction: "input, output", env });
  const isEntra = binding.publishWith === "entra"; // if both
  const signIn = isEntra && { credential: new DefaultAzureCredential() }; // if both
  const publisher = createPublisher(binding, { events: published, source: "/orders", ...signIn }); // if both
  const webhook = createWebhook(binding, {
    events,
    on: handlers,
    // Until every type has a handler, other events are retried instead of lost. // if example-events
    unhandled: "retry", // if example-events
    drainLagMs,
  });
  const app = express();
  // The webhook reads its body and answers the handshake itself: keep it before other middleware.
  app.use(webhook.node);
  app.use(express.json());
  app.get("/healthz", (_, response) => void response.sendStatus(webhook.isStuck() ? 503 : 200));
  app.get("/readyz", (_, response) => void response.sendStatus(webhook.isReady() ? 200 : 503));
  // Deliveries may have more headers than Node accepts by default.
  const server = createServer({ maxHeaderSize: 65_536 }, app);
  return {
    publisher, // if both
    /** Listens; resolves with the URL of this machine. */
    start: async () => {
      server.listen(port ?? Number(binding.handshakePort), "0.0.0.0");
      await once(server, "listening");
      const address = server.address();
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
    },
    /** Finishes deliveries in flight, then stops. */
    stop: async () => {
      await webhook.close();
      server.close();
      await publisher.close(); // if both
    },
  };
}
