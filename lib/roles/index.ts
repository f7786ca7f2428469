export {
  type AzureRoleAssignment,
  grantAzureRole,
  type PrincipalType,
  waitForRoles,
} from "./azure-role-assignment.js";
export { warnWithoutRole } from "./missing-role.js";
export {
  assignAppRoleToWriters,
  callerOf,
  type ExistingAssignment,
  existingAssignmentsCheck,
  grantWriting,
  type WriterPrincipal,
  writersCheck,
} from "./writers.js";
