import { DefaultAzureCredential } from "@azure/identity"; // if both
import {
  bindingFromEnvironment,
  createListener,
  createPublisher, // if both
} from "cloud-eventgrid-binding-runtime";
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

/** The webhook of the binding, with a server of its own. */
export function createService({ env = process.env, ...listening }: ServiceOptions = {}) {
  const binding = bindingFromEnvironment("ORDERS", { direction: "input, output", env });
  const isEntra = binding.publishWith === "entra"; // if both
  const signIn = isEntra && { credential: new DefaultAzureCredential() }; // if both
  const publisher = createPublisher(binding, { events: published, source: "/orders", ...signIn }); // if both
  const listener = createListener(binding, {
    events,
    on: handlers,
    // Until every type has a handler, other events are retried instead of lost. // if example-events
    unhandled: "retry", // if example-events
    ...listening,
  });
  return {
    publisher, // if both
    /** Listens; resolves with the URL of this machine. */
    start: async () => (await listener.listen()).url,
    /** Finishes deliveries in flight, then stops. */
    stop: async () => {
      await listener.close();
      await publisher.close(); // if both
    },
  };
}
