export type {
  NewWebhookApplication,
  RegisteredApplication,
  WebhookApplications,
} from "./applications.js";
export type { Clock, ClockChoice, Duration } from "./clock/index.js";
export type { ControlPlane, ControlPlaneOptions, DeployerOptions } from "./control-plane/index.js";
export { EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE } from "./directory/index.js";
export type { Claims, DeliveryTokenOptions, SigningKeys, Tokens } from "./entra/index.js";
export { LocalCloudError, ServiceError } from "./errors.js";
export type { DeadLetter } from "./eventgrid/delivery/dead-letter.js";
export type { DeliveryAttempt } from "./eventgrid/delivery/delivery-attempt.js";
export type { DeliveryProperty } from "./eventgrid/delivery/delivery-properties.js";
export type { AcceptedEvent } from "./eventgrid/event.js";
export type { AdvancedFilter, NumberRange } from "./eventgrid/filters/advanced-filter.js";
export type { EventFilter } from "./eventgrid/filters/event-filter.js";
export type {
  DeadLetterDestination,
  EventSubscription,
  EventSubscriptionSettings,
  EventSubscriptions,
  Handshake,
  NewEventSubscription,
  OutputBatching,
  RetryPolicy,
} from "./eventgrid/subscriptions/index.js";
export {
  type SystemEventOptions,
  type SystemEventType,
  systemEventTypes,
} from "./eventgrid/system-events/system-events.js";
export type { InputSchema, NewTopic, Topic, TopicKeys, Topics } from "./eventgrid/topics/index.js";
export type { DeliveryFault, EndFault, FaultReach, Faults, PublishFault } from "./faults.js";
export type { Ingress, IngressTable, IngressTarget } from "./ingress.js";
export { LocalCloud } from "./local-cloud.js";
export type { LocalCloudOptions } from "./local-cloud-options.js";
