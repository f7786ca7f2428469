export { monitorTypes } from "./monitor-types.js";
export { createGroupOf, resourceGroups } from "./resource-groups.js";
export { addPermissionsRoute, roleDefinitionResources } from "./role-definitions.js";
export { roleAssignmentResources } from "./roles.js";
export { storedTypes } from "./stored-types.js";
export { addTagRoutes } from "./tags.js";
export { userAssignedIdentities } from "./user-assigned-identities.js";
