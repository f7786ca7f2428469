export {
  type ClientSecretProps,
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  type ExistingAppRoleAssignment,
  type ExistingWebhookApplicationProps,
  type IWebhookApplication,
  type SubscriberRole,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./application/index.js";
export {
  CloudEventGridBinding,
  type CloudEventGridBindingProps,
  type CommonOptions,
  type ContainerAppEnvironment,
  type InputOptions,
  type KubernetesEnvironment,
  type KubernetesVariable,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
  WaitTargetError,
} from "./binding/index.js";
export type { ExistingAssignment, PrincipalType, WriterPrincipal } from "./roles/index.js";
export { scopes, sources } from "./sources/index.js";
export {
  type AdditionalScope,
  type AdvancedFilter,
  type AdvancedFilterOperator,
  type Batching,
  type DeadLetterProps,
  type DeliveryProperty,
  type ExistingSubscriptionOptions,
  FilterBuilder,
  type ManagedIdentity,
  type Range,
  type RetryPolicy,
  type SubjectFilter,
  type SubscriptionSettings,
  type WebhookProbe,
  where,
} from "./subscription/index.js";
export type { ProviderRegistration } from "./terraform/index.js";
export {
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  type ExistingTopicProps,
  type GrantPublishOptions,
  type ICloudEventGridTopic,
  type TopicIdentity,
} from "./topic/index.js";
