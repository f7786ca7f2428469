export { resourceGroups } from "./resource-groups.js";
export { storedTypes } from "./stored-types.js";
export { userAssignedIdentities } from "./user-assigned-identities.js";
