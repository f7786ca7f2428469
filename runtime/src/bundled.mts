/**
 * The main entry point for bundlers: each export by the file that has it, so that they leave out what a
 * service does not use. Node loads `index.ts`, which has the same objects, since these are its files.
 */
export {
  bindingEnvironment,
  bindingFromEnvironment,
  namespaceTopicEnvironment,
  namespaceTopicFromEnvironment,
  pullBindingEnvironment,
  pullBindingFromEnvironment,
  validateBinding,
} from "./binding/index.js";
export {
  CloudEventGridError,
  ConfigurationError,
  defineEvents,
  eventTypesByResourceType,
  resourceManagerEventTypes,
  systemEvents,
  systemEventTypes,
  type,
} from "./events/index.js";
export {
  defineHandlers,
  MemoryDeduplication,
  MiddlewareError,
  RejectEvent,
  withMiddleware,
} from "./handling/index.js";
export { createListener, createWebhook, ListenerStartError } from "./listener/index.js";
export {
  createPublisher,
  InvalidEventError,
  PublishError,
  UnsupportedOperationError,
} from "./publisher/index.js";
export { createReceiver, ReceiverStartError } from "./receiver/index.js";
