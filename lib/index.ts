export {
  type AdvancedFilter,
  type AdvancedFilterOperator,
  FilterBuilder,
  type Range,
  where,
} from "./advanced-filters.js";
export { CloudEventGridBinding } from "./binding.js";
export type {
  AdditionalScope,
  CloudEventGridBindingProps,
  CommonOptions,
  ExistingAssignment,
  ExistingSubscriptionOptions,
  InputOptions,
} from "./binding-props.js";
export type { DeadLetterProps } from "./dead-letter.js";
export {
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
} from "./event-grid-principal.js";
export type { ExistingTopicProps } from "./existing-topic.js";
export type {
  ExistingAppRoleAssignment,
  ExistingWebhookApplicationProps,
} from "./existing-webhook-application.js";
export type { IWebhookApplication } from "./i-webhook-application.js";
export type { ProviderRegistration } from "./provider-registration.js";
export type { WebhookProbe } from "./readiness-probe.js";
export type { PrincipalType } from "./role-assignment.js";
export {
  type ContainerAppEnvironment,
  type KubernetesEnvironment,
  type KubernetesVariable,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
} from "./runtime-environment.js";
export * as sources from "./sources/index.js";
export * as scopes from "./sources/scopes.js";
export type { SubscriberRole } from "./subscriber-role.js";
export type {
  Batching,
  DeliveryProperty,
  ManagedIdentity,
  RetryPolicy,
  SubjectFilter,
  SubscriptionSettings,
} from "./subscription-settings.js";
export {
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  type GrantPublishOptions,
  type ICloudEventGridTopic,
} from "./topic.js";
export type { TopicIdentity } from "./topic-identity.js";
export { WaitTargetError } from "./waiting.js";
export {
  type ClientSecretProps,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./webhook-application.js";
export type { WriterPrincipal } from "./writers.js";
