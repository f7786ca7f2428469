import { quoted } from "./events-file.js";
import { type AppKind, type BindingSpec, directionOf, namesOf } from "./spec.js";

/** `service.ts`: creates the service; `start.ts` and the test run it. */
export function serviceFile(binding: BindingSpec, app: AppKind): string {
  const { input, output } = binding;
  if (input === undefined) return publishingService(binding);
  const publisher = output !== undefined;
  return app === "fastify" ? fastifyService(binding, publisher) : ownService(binding, publisher);
}

/** `start.ts`: runs the service until the platform stops it. */
export function startFile({ input, eventTypes }: BindingSpec): string {
  const [type = "com.example.event"] = eventTypes;
  if (input === undefined) {
    return `import { createService } from "./service.js";

const { publisher } = createService();
const [id] = await publisher.create({ type: ${quoted(type)}, data: { id: "1" } });
console.log("published", id);
await publisher.close();
`;
  }
  return `import { createService } from "./service.js";

const service = createService();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => service.stop());
await service.start();
`;
}

function handlers(binding: BindingSpec, indent: string): string {
  return binding.eventTypes
    .map(
      (type) => `${indent}${quoted(type)}: async ({ id, data }, { log }) => {
${indent}  // Returning acknowledges the event; throwing makes Event Grid deliver it again.
${indent}  log.info({ id, data }, "event received");
${indent}},`,
    )
    .join("\n");
}

/** Keeps Event Grid from dropping events of types that the example does not handle. */
function unhandled({ typesAreKnown }: BindingSpec, indent: string): string {
  if (typesAreKnown) return "";
  return `${indent}// Until every type has a handler, events of other types are retried instead of being lost.
${indent}unhandled: "retry",
`;
}

function options(withPort: boolean): string {
  return `/** What a test sets. */
export interface ServiceOptions {
  /** @default the environment of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
${
  withPort
    ? `  /** Port to listen on. @default the binding's handshakePort */
  readonly port?: number;
  /** Milliseconds between the end of readiness and the end of listening. @default 5_000 */
  readonly drainLagMs?: number;
`
    : ""
}}
`;
}

function publisherLine(name: string): string {
  return `  const publisher = createPublisher(binding, { events, source: "/${name}" });\n`;
}

function ownService(binding: BindingSpec, publisher: boolean): string {
  const { prefix } = namesOf(binding.name);
  const imports = [
    "bindingFromEnvironment",
    "createListener",
    ...(publisher ? ["createPublisher"] : []),
  ];
  return `import { ${imports.join(", ")} } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";

${options(true)}
/** The service of the binding, with a server of its own. */
export function createService({ env = process.env, ...listening }: ServiceOptions = {}) {
  const binding = bindingFromEnvironment(${quoted(prefix)}, { direction: ${quoted(directionOf(binding))}, env });
${publisher ? publisherLine(binding.name) : ""}  const listener = createListener(binding, {
    events,
    on: {
${handlers(binding, "      ")}
    },
${unhandled(binding, "    ")}    ...listening,
  });
  return {
${publisher ? "    publisher,\n" : ""}    /** Listens; resolves with the URL of this machine. */
    start: async () => (await listener.listen()).url,
    /** Finishes deliveries in flight, then stops. */
    stop: async () => {
      await listener.close();
${publisher ? "      await publisher.close();\n" : ""}    },
  };
}
`;
}

function fastifyService(binding: BindingSpec, publisher: boolean): string {
  const { prefix } = namesOf(binding.name);
  const runtime = ["bindingFromEnvironment", ...(publisher ? ["createPublisher"] : [])];
  return `import { ${[...runtime, "defineHandlers", "eventGridWebhook"].join(", ")} } from "cloud-eventgrid-binding-runtime";
import fastify from "fastify";
import { events } from "./events.js";

${options(true)}
/** Your Fastify app with the webhook of the binding. */
export function createService({ env = process.env, port, drainLagMs = 5_000 }: ServiceOptions = {}) {
  const binding = bindingFromEnvironment(${quoted(prefix)}, { direction: ${quoted(directionOf(binding))}, env });
${publisher ? publisherLine(binding.name) : ""}  const app = fastify({ logger: true, http: { maxHeaderSize: 65_536 } });
  app.register(eventGridWebhook, {
    binding,
    events,
    on: defineHandlers(events, {
${handlers(binding, "      ")}
    }),
${unhandled(binding, "    ")}    drainLagMs,
  });
  app.get("/healthz", async () => ({ alive: true }));
  app.get("/readyz", (_, reply) => reply.code(app.eventGrid.isReady() ? 200 : 503).send());
  return {
    app,
${publisher ? "    publisher,\n" : ""}    /** Listens; resolves with the URL of this machine. */
    start: () => app.listen({ host: "0.0.0.0", port: port ?? Number(binding.handshakePort) }),
    /** Finishes deliveries in flight, then stops. */
    stop: async () => {
      await app.eventGrid.drain();
      await app.close();
${publisher ? "      await publisher.close();\n" : ""}    },
  };
}
`;
}

function publishingService(binding: BindingSpec): string {
  const { prefix } = namesOf(binding.name);
  const entra = binding.output?.publishWith === "entra";
  const credential = entra ? ", credential: new DefaultAzureCredential()" : "";
  return `${entra ? 'import { DefaultAzureCredential } from "@azure/identity";\n' : ""}import { bindingFromEnvironment, createPublisher } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";

${options(false)}
/** The publisher of the binding. */
export function createService({ env = process.env }: ServiceOptions = {}) {
  const binding = bindingFromEnvironment(${quoted(prefix)}, { direction: "output", env });
  return { publisher: createPublisher(binding, { events, source: "/${binding.name}"${credential} }) };
}
`;
}
