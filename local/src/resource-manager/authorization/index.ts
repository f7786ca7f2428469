export { Authorization, type AuthorizationState } from "./authorization.js";
export { type RoleAssignment, RoleAssignments } from "./role-assignments.js";
export {
  OWNER,
  type RoleDefinition,
  roleDefinitionById,
  roleDefinitionByName,
  roleDefinitionIdAt,
  roleDefinitions,
} from "./role-definitions.js";
