import type { Caller } from "../control-plane/caller.js";
import {
  type Directory,
  EVENT_GRID_CLIENT_ID,
  SECURE_WEBHOOK_ROLE,
  type ServicePrincipal,
} from "../directory/index.js";
import { ServiceError } from "../errors.js";
import type { EventSubscription } from "../eventgrid/subscriptions/index.js";

/**
 * Who may point an event subscription at a webhook that Entra protects: since 2021 the writer needs
 * the application's role for it, or must own the application's principal, and Event Grid's own
 * principal needs the role to deliver.
 * @throws ServiceError `Unauthorized`
 */
export function requireSecureWebhookRoles(
  directory: Directory,
  caller: Caller,
  { settings }: EventSubscription,
): void {
  const { clientId, tenantId } = settings;
  if (clientId === undefined) return;
  const tenant = directory.tenant(tenantId);
  const webhook = tenant?.principalOf(clientId);
  if (!tenant || !webhook) {
    throw unauthorized(
      `The destination Azure AD application '${clientId}' has no service principal in the tenant '${tenantId}'.`,
    );
  }
  const has = (principal: ServicePrincipal | undefined) =>
    principal !== undefined && tenant.rolesOf(principal, webhook).includes(SECURE_WEBHOOK_ROLE);

  const writer = tenant.servicePrincipals.byClientId(caller.clientId);
  if (!has(writer) && !(writer && webhook.owners.has(writer.objectId))) {
    throw unauthorized(
      `The client '${caller.clientId}' with object id '${caller.objectId}' that writes the event subscription must have the app role '${SECURE_WEBHOOK_ROLE}' of the destination Azure AD application '${clientId}', or own its service principal.`,
    );
  }
  if (!has(tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID))) {
    throw unauthorized(
      `The service principal of Microsoft.EventGrid (${EVENT_GRID_CLIENT_ID}) must have the app role '${SECURE_WEBHOOK_ROLE}' of the destination Azure AD application '${clientId}'.`,
    );
  }
}

function unauthorized(message: string): ServiceError {
  return new ServiceError(
    401,
    "Unauthorized",
    `${message} See https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery.`,
  );
}
