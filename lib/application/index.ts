export { applicationOfClientId } from "./application-of-client-id.js";
export { servicePrincipalCheck } from "./application-reference.js";
export {
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  eventGridChecks,
} from "./event-grid-principal.js";
export type {
  ExistingAppRoleAssignment,
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
export { SubscriberRole } from "./subscriber-role.js";
export {
  type ClientSecretProps,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./webhook-application.js";
