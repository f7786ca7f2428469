export { type AppRole, SECURE_WEBHOOK_ROLE } from "./app-role.js";
export type { AppRoleAssignment, NewAppRoleAssignment } from "./app-role-assignments.js";
export type { Application, NewApplication } from "./applications.js";
export { Directory, type DirectoryOptions, type NewTenant } from "./directory.js";
export { EVENT_GRID_CLIENT_ID, GRAPH_CLIENT_ID } from "./first-party.js";
export type { NewPassword, PasswordCredential, SecretCheck } from "./passwords.js";
export type { NewServicePrincipal, ServicePrincipal } from "./service-principals.js";
export { type Person, Tenant } from "./tenant.js";
