import type {
  AdditionalScope,
  CloudEventGridBindingProps,
  ExistingSubscriptionOptions,
  InputOptions,
} from "./binding-props.js";
import type { DeadLetterProps } from "./dead-letter.js";
import { definitionFields } from "./definition.js";
import type { EventGridServicePrincipalProps } from "./event-grid-principal.js";
import type { ExistingTopicProps } from "./existing-topic.js";
import type { ExistingWebhookApplicationProps } from "./existing-webhook-application.js";
import type { WebhookProbe } from "./readiness-probe.js";
import type {
  Batching,
  DeliveryProperty,
  RetryPolicy,
  SubjectFilter,
  SubscriptionSettings,
} from "./subscription-settings.js";
import type { CloudEventGridTopicProps } from "./topic.js";
import type { TopicIdentity } from "./topic-identity.js";
import type { All } from "./unknown-props.js";
import type { ClientSecretProps, WebhookApplicationProps } from "./webhook-application.js";
import type { WriterPrincipal } from "./writers.js";

const identity = { type: true, userAssignedIdentity: true, principalId: true } satisfies All<
  NonNullable<DeadLetterProps["identity"]>
>;

const settings: All<SubscriptionSettings & ExistingSubscriptionOptions> = {
  existingSubscription: true,
  adoptionLabel: true,
  events: true,
  includedEventTypes: true,
  subjectFilter: {
    beginsWith: true,
    endsWith: true,
    caseSensitive: true,
  } satisfies All<SubjectFilter>,
  advancedFilters: true,
  filterArrays: true,
  retryPolicy: { maxDeliveryAttempts: true, eventTimeToLive: true } satisfies All<RetryPolicy>,
  deadLetter: { storageAccount: true, container: true, identity } satisfies All<DeadLetterProps>,
  batching: {
    maxEventsPerBatch: true,
    preferredBatchSizeInKilobytes: true,
  } satisfies All<Batching>,
  deliveryProperties: {
    headerName: true,
    value: true,
    secret: true,
    sourceField: true,
  } satisfies All<DeliveryProperty>,
  deliveryIdentity: identity,
  labels: true,
  expirationTimeUtc: true,
};

const additionalScope: All<AdditionalScope> = {
  ...settings,
  scope: true,
  eventSubscriptionName: true,
};

/** The options of the input direction. */
export const inputOptions: All<InputOptions & { application: unknown }> = {
  ...settings,
  application: true,
  additionalScopes: { "*": additionalScope },
  writerPrincipals: { objectId: true, type: true } satisfies All<WriterPrincipal>,
  servicePrincipal: true,
  existingAssignments: true,
  webhookProbe: { timeoutSeconds: true, command: true, options: true } satisfies All<WebhookProbe>,
  roleEffectSeconds: true,
  subscribed: true,
};

/** The props of a binding. */
export const bindingProps: All<CloudEventGridBindingProps> = {
  ...definitionFields,
  ...inputOptions,
  providerRegistration: true,
  eventGridApplicationId: true,
  azurerm: true,
  azuread: true,
};

/** The props of a topic. */
export const topicProps: All<CloudEventGridTopicProps> = {
  resourceGroupName: true,
  location: true,
  topicName: true,
  accessKeys: true,
  publicNetworkAccess: true,
  allowedAddresses: true,
  identity: { type: true, userAssignedIdentities: true } satisfies All<TopicIdentity>,
  tags: true,
  providerRegistration: true,
  azurerm: true,
};

/** The props of a topic that exists. */
export const existingTopicProps: All<ExistingTopicProps> = { azurerm: true };

/** The props of Event Grid's principal. */
export const principalProps: All<EventGridServicePrincipalProps> = {
  cloudEnvironment: true,
  eventGridApplicationId: true,
  azuread: true,
};

/** The props of an application that the stack makes. */
export const applicationProps: All<WebhookApplicationProps> = {
  ...principalProps,
  displayName: true,
  clientSecret: {
    displayName: true,
    endDate: true,
    rotateWhenChanged: true,
  } satisfies All<ClientSecretProps>,
};

/** The props of an application that exists. */
export const existingApplicationProps: All<ExistingWebhookApplicationProps> = {
  ...principalProps,
  clientId: true,
  servicePrincipal: true,
  existingAssignments: true,
};
