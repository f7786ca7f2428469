export { type Activity, ActivityLog } from "./activity.js";
export { type AccessKeys, accessKeyName } from "./credentials.js";
export {
  Counter,
  type DeadLetter,
  type DeliveryAttempt,
  type DeliveryMetrics,
  type DeliveryRequest,
  type DeliveryResponse,
  deliveryMetrics,
  isTopicMetric,
  type Journal,
  type Metric,
  type PendingDelivery,
  RESPONSE_TIMEOUT_MS,
  topicMetrics,
} from "./delivery/index.js";
export {
  destinationId,
  type EventDestination,
  type FunctionDestination,
  type Message,
  type MessageDestination,
  type MessagingDestination,
  type NamespaceTopicDestination,
  type StorageQueueDestination,
  withoutQuery,
} from "./destinations/index.js";
export { EventGrid } from "./event-grid.js";
export {
  type AcceptedEvent,
  BoundedHistory,
  type DeliveryProgress,
  type DeliverySchema,
  deliveredJson,
  type EventOrigin,
  type EventRecord,
  elementsOf,
  type InputSchema,
  MAX_HISTORY_BYTES,
  membersOf,
} from "./events/index.js";
export type { Failure } from "./failure.js";
export {
  type EventFilter,
  type FilterCondition,
  operatorTypes,
} from "./filters/index.js";
export {
  dataRoute,
  type LockResult,
  type Namespace,
  type NamespaceFilter,
  type NamespaceSubscription,
  type NamespaceSubscriptionSettings,
  type NamespaceSubscriptionState,
  type NamespaceSubscriptions,
  Namespaces,
  NamespaceTopic,
  type NamespaceTopics,
  type NamespaceWebhook,
  type NewNamespace,
  type NewNamespaceSubscription,
  type NewNamespaceTopic,
  namespaceSchema,
  type QueueCounts,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./namespaces/index.js";
export type { RecordedTarget } from "./recorded-events.js";
export { scopeOfSubscription } from "./redelivery.js";
export { domainTopicNameOf, topicIdOf } from "./stores.js";
export {
  type DeadLetterDestination,
  type DeliveryHeader,
  type DeliveryOptions,
  type DeliverySettings,
  type EventSubscription,
  type EventSubscriptionSettings,
  type EventSubscriptions,
  type Handshake,
  type NewEventSubscription,
  type OutputBatching,
  type RetryLimits,
  subscriptionSchema,
} from "./subscriptions/index.js";
export {
  defaultTypesOf,
  knownTypesOf,
  resourceManagerEventTypes,
  type SystemEventOptions,
  type SystemEventType,
  sequencerOf,
  systemEventFamilies,
  systemEventTypes,
  withDefaultTypes,
} from "./system-events/index.js";
export {
  type InputSchemaMapping,
  mappingIn,
  type NewTopic,
  publishRoute,
  type RecordedSchema,
  readRecordedEvent,
  type Topic,
  type Topics,
  topicSchema,
} from "./topics/index.js";
