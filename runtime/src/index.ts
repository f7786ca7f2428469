/**
 * What the quick start uses, and the types that listener, receiver and publisher share. Everything else
 * is exported by one of the subpaths `./binding`, `./document`, `./events`, `./fastify`, `./handlers`,
 * `./listener`, `./postgres`, `./publisher`, `./receiver`, `./redis` and `./testing`, which load only
 * what they need.
 */
export { bindingFromEnvironment } from "./binding/index.js";
export { createListener } from "./listener/index.js";
export type { Log, TelemetryProviders } from "./observability/index.js";
export { createPublisher } from "./publisher/index.js";
export type { CredentialOptions, Secret, TransportOptions } from "./transport/index.js";
