export { Authorization, type AuthorizationState } from "./authorization.js";
export { addRoleAssignmentRoutes } from "./role-assignment-routes.js";
export { RoleAssignments } from "./role-assignments.js";
export { addRoleDefinitionRoutes } from "./role-definition-routes.js";
export { OWNER, roleDefinitionByName, roleDefinitions } from "./role-definitions.js";
