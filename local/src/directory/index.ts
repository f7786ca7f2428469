export type { Application, AppRole } from "./applications.js";
export { Directory, Tenant, type UserOrGroup } from "./directory.js";
export {
  EVENT_GRID_CLIENT_ID,
  GRAPH_CLIENT_ID,
  type GraphPermission,
  SECURE_WEBHOOK_ROLE,
} from "./first-party.js";
export type { NewPassword, PasswordCredential } from "./passwords.js";
export type { AppRoleAssignment, ManagedIdentity, ServicePrincipal } from "./service-principals.js";
export {
  applicationSettings,
  type NewWebhookApplication,
  type RegisteredApplication,
  WebhookApplications,
} from "./webhook-applications.js";
