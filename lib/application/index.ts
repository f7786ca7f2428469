export {
  type EventGridIdentityProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  eventGridChecks,
} from "./event-grid-principal.js";
export {
  applicationOfClientId,
  type ExistingWebhookApplicationProps,
} from "./existing-application.js";
export {
  type ExistingAppRoleAssignment,
  type IWebhookApplication,
  SubscriberRole,
} from "./subscriber-role.js";
export {
  type ClientSecretProps,
  WebhookApplication,
  type WebhookApplicationProps,
} from "./webhook-application.js";
