export { locations, regions } from "./locations.js";
export { ManagedIdentities } from "./managed-identities.js";
export {
  accepted,
  addOperationRoutes,
  changed,
  groupAccepted,
  shownError,
} from "./operation-routes.js";
export { asServiceError, Operations } from "./operations.js";
export { ProviderRegistrations } from "./provider-registrations.js";
export { addProviderRoutes } from "./provider-routes.js";
export {
  type Action,
  FROM_GATEWAY,
  groupNotFound,
  parentNotFound,
  resourceNotFound,
} from "./resource-requests.js";
export type { SubscriptionState } from "./state.js";
export { addSubscriptionRoutes } from "./subscription-routes.js";
