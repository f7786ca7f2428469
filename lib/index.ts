export {
  type ClientSecretProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
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
  type NamespaceEnvironmentOptions,
  type ProvisioningOptions,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
} from "./binding/index.js";
export type {
  AlertRule,
  BindingAlertOptions,
  CommonAlertOptions,
  Diagnostics,
  DiagnosticsEventHub,
  PullAlertOptions,
  TopicAlertOptions,
} from "./monitoring/index.js";
export {
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
  CloudEventGridNamespaceTopic,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
  type ExistingNamespaceProps,
  type ExistingSystemTopic,
  type ICloudEventGridNamespace,
  type NamespaceIdentity,
  type NamespaceOfTopics,
  type NamespaceTopicOptions,
  NamespaceTopicSource,
  type NamespaceTopicSourceProps,
  type PullDeadLetterProps,
  type ReceiverPrincipal,
} from "./namespace/index.js";
export type { ExistingAssignment, PrincipalType, WriterPrincipal } from "./roles/index.js";
export { sources } from "./sources/index.js";
export {
  type AdditionalScope,
  type AdvancedFilter,
  type Batching,
  type DeadLetterContainer,
  type DeadLetterProps,
  type DeliveryProperty,
  type ExistingSubscriptionOptions,
  type FilterBuilder,
  type ManagedIdentity,
  type RetryPolicy,
  type SubjectFilter,
  type SubscriptionSettings,
  where,
} from "./subscription/index.js";
export type { AzapiResource, ProviderRegistration } from "./terraform/index.js";
export {
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  type ExistingTopicProps,
  type GrantPublishOptions,
  type ICloudEventGridTopic,
  type PrivateEndpointProps,
  type TopicIdentity,
} from "./topic/index.js";
