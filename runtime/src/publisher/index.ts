export { createPublisher, type Publisher, type PublisherOf } from "./create-publisher.js";
export * from "./errors.js";
export {
  type EventsToCreate,
  type EventToCreate,
  type Invocation,
  type InvocationResult,
  type Operation,
  type ReadyEvent,
  UnsupportedOperationError,
} from "./event/index.js";
export type {
  CreateOptions,
  PublisherLimits,
  PublisherOptions,
  RetrySettings,
} from "./settings.js";
