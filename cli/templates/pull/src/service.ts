import { DefaultAzureCredential } from "@azure/identity";
import { createReceiver, pullBindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";
import { handlers } from "./handlers.js";

/** What a test sets. */
export interface ServiceOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Port of the health routes. @default 9000 */
  readonly port?: number;
}

/** The receiver of the binding. It pulls events, so nobody has to reach the service. */
export function createService({ env = process.env, port = 9000 }: ServiceOptions = {}) {
  const binding = pullBindingFromEnvironment("ORDERS", { env });
  const receiver = createReceiver(binding, {
    events,
    on: handlers,
    health: { port },
    ...(binding.receiveWith !== "accessKey" && { credential: new DefaultAzureCredential() }),
  });
  return {
    start: () => receiver.start(),
    /** Finishes running handlers, and gives all other events back. */
    stop: () => receiver.close(),
  };
}
