export {
  type AdvancedFilter,
  advancedFiltersCheck,
  type FilterBuilder,
  where,
} from "./advanced-filters.js";
export { clientProvider } from "./client-provider.js";
export {
  containerName,
  grantContainer,
  grantDeadLettering,
  identityProblems,
  storageAccountId,
  withTopicPrincipals,
} from "./dead-letter.js";
export { eventSubscription, refuseSecond } from "./event-subscription.js";
export {
  eventTypeProblems,
  eventTypes,
  eventTypesConditions,
  eventTypesOfKind,
  kindOfTerraformType,
} from "./event-types.js";
export { type EventOrigin, RouteError, type Routes, routesOf } from "./routes.js";
export {
  additionalScopesCheck,
  namedScopes,
  normalisedScope,
  type ScopedSubscription,
  scopedSubscriptions,
  systemTopicProblems,
  validateScopes,
} from "./scopes.js";
export type {
  AdditionalScope,
  Batching,
  DeadLetterContainer,
  DeadLetterProps,
  DeliveryProperty,
  ExistingSubscriptionOptions,
  ManagedIdentity,
  RetryPolicy,
  SubjectFilter,
  SubscriptionOptions,
  SubscriptionSettings,
} from "./settings.js";
export { containerCheck, settingsChecks } from "./settings-checks.js";
export { warn, warnOfLiteralSecrets } from "./warnings.js";
export {
  literalPath,
  probeWebhook,
  registeredUrl,
} from "./webhook.js";
