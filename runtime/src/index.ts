/**
 * Everything that a service imports, except what needs a package of its own (`./document`, `./fastify`,
 * `./postgres`, `./redis`). A stack imports `./events`, which loads no HTTP client.
 */
export {
  type AuthenticationMethod,
  type BindingEnvironment,
  type BindingEnvironmentOptions,
  type BindingProps,
  bindingEnvironment,
  bindingFromEnvironment,
  type CloudEnvironmentName,
  type Direction,
  type EnvironmentOptions,
  type InputBindingProps,
  type InputOutputBindingProps,
  type InputRuntimeBinding,
  type NamespaceTopicRuntimeBinding,
  namespaceTopicEnvironment,
  namespaceTopicFromEnvironment,
  type OutputBindingProps,
  type OutputRuntimeBinding,
  type PullRuntimeBinding,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
  type RuntimeBinding,
  type ValidationOptions,
  validateBinding,
} from "./binding/index.js";
export * from "./events/index.js";
export {
  type Claim,
  type DeduplicationStore,
  defineHandlers,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  type EventKey,
  MemoryDeduplication,
  type MemoryDeduplicationOptions,
  type Middleware,
  MiddlewareError,
  RejectEvent,
  type SettledLease,
  type VerifiedCaller,
  withMiddleware,
} from "./handling/index.js";
export * from "./listener/index.js";
export type { Log, TelemetryProviders } from "./observability.js";
export * from "./publisher/index.js";
export * from "./receiver/index.js";
export type { CredentialOptions, Secret } from "./transport/index.js";
