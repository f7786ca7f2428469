export { type Clock, systemClock } from "../clock.js";
export type { TelemetryProviders } from "../instrumentation.js";
export { PublisherConfigurationError } from "./configuration-error.js";
export { createPublisher } from "./create-publisher.js";
export type { CredentialOptions, Secret } from "./credential-options.js";
export type { EventsToCreate, EventToCreate, PlainEvent, ReadyEvent } from "./event-to-create.js";
export { type EventProblem, InvalidEventError } from "./invalid-event-error.js";
export {
  type Invocation,
  type InvocationResult,
  type Operation,
  UnsupportedOperationError,
} from "./invocation.js";
export {
  PublishError,
  type PublishErrorCode,
  type PublishFailure,
  type ServiceErrorDetail,
  type UnpublishedEvent,
} from "./publish-error.js";
export type { CreateOptions, Publisher } from "./publisher.js";
export type { SendingBinding } from "./publishing-binding.js";
export type {
  BatchingSettings,
  PublisherOptions,
  PublishLimits,
  QueueSettings,
  RetrySettings,
} from "./settings.js";
export type { ClientOptions } from "./topic-client.js";
