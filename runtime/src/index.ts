/**
 * What most services need. Everything else is exported by the subpaths `./binding`, `./document`,
 * `./events`, `./fastify`, `./listener`, `./postgres`, `./publisher`, `./receiver`, `./redis` and
 * `./testing`.
 */
export {
  BindingConfigurationError,
  bindingFromEnvironment,
  type EnvironmentOptions,
  type InputRuntimeBinding,
  InvalidScopeError,
  type NamespaceTopicRuntimeBinding,
  namespaceTopicFromEnvironment,
  type OutputRuntimeBinding,
  type PullRuntimeBinding,
  pullBindingFromEnvironment,
  type RuntimeBinding,
} from "./binding/index.js";
export {
  type CloudEvent,
  CloudEventGridError,
  defineEvents,
  type EventCatalogue,
  EventCatalogueError,
  type,
} from "./events/index.js";
export {
  createListener,
  createWebhook,
  defineHandlers,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  type Listener,
  type ListenerAddress,
  ListenerConfigurationError,
  type ListenerOptions,
  ListenerStartError,
  RejectEvent,
  type WebhookEndpoint,
  type WebhookOptions,
} from "./listener/index.js";
export {
  type CreateOptions,
  createPublisher,
  type EventProblem,
  type EventToCreate,
  InvalidEventError,
  PublishError,
  type PublishErrorCode,
  type Publisher,
  PublisherConfigurationError,
  type PublisherOf,
  type PublisherOptions,
  type UnpublishedEvent,
  UnsupportedOperationError,
} from "./publisher/index.js";
export {
  createReceiver,
  type Receiver,
  ReceiverConfigurationError,
  type ReceiverHealth,
  type ReceiverOptions,
  ReceiverStartError,
} from "./receiver/index.js";
