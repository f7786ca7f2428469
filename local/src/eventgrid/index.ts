export {
  type Activity,
  ActivityLog,
  type EventRecord,
} from "./activity.js";
export type {
  DeadLetter,
  DeliveryAttempt,
  DeliveryRequest,
  DeliveryResponse,
  Journal,
  PendingDelivery,
} from "./delivery/index.js";
export { type DeliveryMetrics, deliveryMetrics } from "./delivery/index.js";
export {
  destinationId,
  type Message,
  type MessageDestination,
  type MessagingDestination,
  type StorageQueueDestination,
} from "./destinations/index.js";
export { EventGrid } from "./event-grid.js";
export type {
  AcceptedEvent,
  DeliveryProgress,
  DeliverySchema,
  InputSchema,
} from "./events/index.js";
export { BoundedHistory, Counter, MAX_HISTORY_BYTES } from "./events/index.js";
export type {
  AdvancedFilter,
  EventFilter,
  NumberRange,
} from "./filters/index.js";
export {
  type DeadLetterDestination,
  type DeliveryProperty,
  type EventSubscription,
  type EventSubscriptionSettings,
  type EventSubscriptions,
  type Handshake,
  type NewEventSubscription,
  type OutputBatching,
  type RetryPolicy,
  subscriptionSchema,
  withoutQuery,
} from "./subscriptions/index.js";
export {
  type SystemEventOptions,
  type SystemEventType,
  systemEventFamilies,
  systemEventTypes,
} from "./system-events/index.js";
export {
  type InputSchemaMapping,
  type MappedField,
  mappingIn,
  type NewTopic,
  publishRoute,
  type Topic,
  type TopicKeys,
  type Topics,
  topicIdOf,
  topicKeyName,
  topicSchema,
} from "./topics/index.js";
