export { adopt, withAdoptionLabel } from "./adoption.js";
export {
  type AdvancedFilter,
  type AdvancedFilterOperator,
  FilterBuilder,
  type Range,
  where,
} from "./advanced-filters.js";
export { clientProvider } from "./client-provider.js";
export { grantDeadLettering } from "./dead-letter.js";
export { subscriptionConfig } from "./event-subscription.js";
export { grantsDeadLettering, managedIdentityProblems } from "./identity-checks.js";
export { additionalScopeProblems } from "./scope-checks.js";
export {
  additionalScopes,
  type NamedScope,
  type ScopedSubscription,
  scopedSubscriptions,
} from "./scoped-subscriptions.js";
export {
  type AdditionalScope,
  type Batching,
  type DeadLetterProps,
  type DeliveryProperty,
  type ExistingSubscriptionOptions,
  type ManagedIdentity,
  type RetryPolicy,
  type SubjectFilter,
  type SubscriptionOptions,
  type SubscriptionSettings,
  subscriptionOptionNames,
} from "./settings.js";
export { subscriptionChecks, subscriptionProblems } from "./subscription-checks.js";
export { warn, warnOfLiteralSecrets } from "./warnings.js";
export { probeWebhook, type WebhookProbe } from "./webhook-probe.js";
export { literalPath, registeredUrl } from "./webhook-url.js";
