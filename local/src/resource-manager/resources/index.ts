export { ManagedIdentities } from "./managed-identities.js";
export {
  addOperationRoutes,
  changed,
  groupAccepted,
  Operations,
} from "./operations.js";
export { ProviderRegistrations } from "./provider-registrations.js";
export { addProviderRoutes } from "./provider-routes.js";
export {
  type Action,
  FROM_GATEWAY,
  groupNotFound,
  namespaceNotFound,
  parentNotFound,
  resourceNotFound,
} from "./resource-requests.js";
export { Authorization, type RoleAssignment, RoleAssignments } from "./role-assignments.js";
export {
  OWNER,
  type Permission,
  type RoleDefinition,
  RoleDefinitions,
  roleDefinitionIdAt,
} from "./role-definitions.js";
export type { SubscriptionState } from "./state.js";
export { addSubscriptionRoutes, locations, regions } from "./subscription-routes.js";
