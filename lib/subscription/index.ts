export {
  type AdvancedFilter,
  type AdvancedFilterOperator,
  type FilterBuilder,
  type NumberRange,
  where,
} from "./advanced-filters.js";
export { clientProvider } from "./client-provider.js";
export {
  grantDeadLettering,
  grantsDeadLettering,
  identityProblems,
  withTopicPrincipals,
} from "./dead-letter.js";
export { eventSubscription } from "./event-subscription.js";
export { eventTypesConditions } from "./event-types.js";
export {
  additionalScopesCheck,
  type ScopedSubscription,
  scopedSubscriptions,
  scopeFields,
  systemTopicProblems,
  validateScopes,
} from "./scopes.js";
export type {
  AdditionalScope,
  Batching,
  DeadLetterProps,
  DeliveryProperty,
  ExistingSubscriptionOptions,
  ManagedIdentity,
  RetryPolicy,
  SubjectFilter,
  SubscriptionOptions,
  SubscriptionSettings,
} from "./settings.js";
export { settingsChecks } from "./settings-checks.js";
export { warn, warnOfLiteralSecrets } from "./warnings.js";
export {
  literalPath,
  probeWebhook,
  registeredUrl,
  type WebhookProbe,
  webhookProbeCheck,
} from "./webhook.js";
