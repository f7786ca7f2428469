export { privateEndpointTypes } from "./private-endpoints.js";
export { createGroupOf, resourceGroups } from "./resource-groups.js";
export { roleAssignmentResources } from "./role-assignments.js";
export { roleDefinitionResources } from "./role-definitions.js";
export { storedTypes } from "./stored-types.js";
export { userAssignedIdentities } from "./user-assigned-identities.js";
