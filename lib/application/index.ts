export { namedApplication } from "./application-of-client-id.js";
export { ExistingWebhookApplication, servicePrincipalRule } from "./application-reference.js";
export {
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
} from "./event-grid-principal.js";
export type {
  ExistingAppRoleAssignment,
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
export type { SubscriberRole } from "./subscriber-role.js";
export {
  type ClientSecretProps,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./webhook-application.js";
