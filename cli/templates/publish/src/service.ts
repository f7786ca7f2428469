import { DefaultAzureCredential } from "@azure/identity";
import { bindingFromEnvironment, createPublisher } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";

/** What a test sets. */
export interface ServiceOptions {
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The publisher of the binding. */
export function createService({ env = process.env }: ServiceOptions = {}) {
  const binding = bindingFromEnvironment("ORDERS", { direction: "output", env });
  const isEntra = binding.publishWith === "entra";
  const signIn = isEntra && { credential: new DefaultAzureCredential() };
  return { publisher: createPublisher(binding, { events, source: "/orders", ...signIn }) };
}
