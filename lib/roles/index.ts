export {
  type AzureRoleAssignment,
  grantAzureRole,
  type PrincipalType,
} from "./azure-role-assignment.js";
export { waitForRoles } from "./role-effect.js";
export {
  assignAppRoleToWriters,
  type ExistingAssignment,
  grantWriting,
  type WriterPrincipal,
} from "./writers.js";
