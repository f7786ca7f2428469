export { LocalCloudError, ServiceError } from "./base/index.js";
export type { ControlPlane, ControlPlaneOptions, DeployerOptions } from "./control-plane/index.js";
export {
  EVENT_GRID_CLIENT_ID,
  type NewWebhookApplication,
  type RegisteredApplication,
  SECURE_WEBHOOK_ROLE,
  type WebhookApplications,
} from "./directory/index.js";
export type { Claims, DeliveryTokenOptions, SigningKeys, Tokens } from "./entra/index.js";
export {
  type AcceptedEvent,
  type AdvancedFilter,
  type DeadLetter,
  type DeadLetterDestination,
  type DeliveryAttempt,
  type DeliveryProperty,
  type DeliveryRequest,
  type DeliveryResponse,
  type DeliverySchema,
  type EventFilter,
  type EventSubscription,
  type EventSubscriptionSettings,
  type EventSubscriptions,
  type Handshake,
  type InputSchema,
  type InputSchemaMapping,
  type MappedField,
  type Message,
  type MessageDestination,
  type MessagingDestination,
  type NewEventSubscription,
  type NewTopic,
  type NumberRange,
  type OutputBatching,
  type RetryPolicy,
  type StorageQueueDestination,
  type SystemEventOptions,
  type SystemEventType,
  systemEventTypes,
  type Topic,
  type TopicKeys,
  type Topics,
} from "./eventgrid/index.js";
export { LocalCloud } from "./local-cloud.js";
export type { LocalCloudOptions } from "./local-cloud-options.js";
export type { Ingress, IngressTable, IngressTarget } from "./network/index.js";
export type {
  ActiveFault,
  Clock,
  ClockChoice,
  DeliveryFault,
  Duration,
  EndFault,
  FaultReach,
  Faults,
  PublishFault,
} from "./simulation/index.js";
