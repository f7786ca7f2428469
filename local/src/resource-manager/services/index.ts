export { monitorTypes } from "./monitor-types.js";
export { createGroupOf, resourceGroups } from "./resource-groups.js";
export { roleAssignmentResources, roleDefinitionResources } from "./roles.js";
export { storedTypes } from "./stored-types.js";
export { userAssignedIdentities } from "./user-assigned-identities.js";
