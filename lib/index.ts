export {
  type ClientSecretProps,
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  type ExistingAppRoleAssignment,
  type ExistingWebhookApplicationProps,
  type IWebhookApplication,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./application/index.js";
export {
  CloudEventGridBinding,
  type CloudEventGridBindingProps,
  type ContainerAppEnvironment,
  type InputProvisioningOptions,
  type KubernetesEnvironment,
  type KubernetesVariable,
  type ProvisioningOptions,
  type RedisResource,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
  type SharedDeduplication,
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
  type FilterBuilder,
  type ManagedIdentity,
  type NumberRange,
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
