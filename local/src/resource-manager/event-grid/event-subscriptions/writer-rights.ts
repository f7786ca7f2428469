import type { Caller } from "../../../api/index.js";
import {
  propertiesIn,
  type ServiceError,
  sameText,
  serviceError,
  subscriptionOf,
  textOrEmpty,
  typeOf,
} from "../../../base/index.js";
import {
  type Directory,
  EVENT_GRID_CLIENT_ID,
  SECURE_WEBHOOK_ROLE,
  type ServicePrincipal,
} from "../../../directory/index.js";
import type { EventGridState } from "../state.js";

/**
 * Checks who may point an event subscription at a webhook that Entra protects. Since 2021 the writer
 * needs the application's app role or must own its service principal, and Event Grid's principal
 * needs the role to deliver.
 *
 * @see https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery
 * @throws ServiceError 401 `Unauthorized`
 */
export function requireSecureWebhookRoles(
  directory: Directory,
  caller: Caller,
  { clientId, tenantId }: { readonly clientId: string | undefined; readonly tenantId: string },
): void {
  if (clientId === undefined) return;
  const tenant = directory.tenant(tenantId);
  const webhook = tenant?.principalOf(clientId);
  if (!tenant || !webhook) {
    throw unauthorized(
      `The destination Azure AD application '${clientId}' has no service principal in the tenant '${tenantId}'.`,
    );
  }
  const hasRole = (principal: ServicePrincipal | undefined) =>
    principal !== undefined && tenant.rolesOf(principal, webhook).includes(SECURE_WEBHOOK_ROLE);

  const writer = tenant.servicePrincipals.byClientId(caller.clientId);
  if (!hasRole(writer) && !(writer && webhook.owners.has(writer.objectId))) {
    throw unauthorized(
      `The client '${caller.clientId}' with object id '${caller.objectId}' that writes the event subscription must have the app role '${SECURE_WEBHOOK_ROLE}' of the destination Azure AD application '${clientId}', or own its service principal.`,
    );
  }
  if (!hasRole(tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID))) {
    throw unauthorized(
      `The service principal of Microsoft.EventGrid (${EVENT_GRID_CLIENT_ID}) must have the app role '${SECURE_WEBHOOK_ROLE}' of the destination Azure AD application '${clientId}'.`,
    );
  }
}

function unauthorized(message: string): ServiceError {
  return serviceError.Unauthorized(
    `${message} See https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery.`,
  );
}

/**
 * Checks that the writer may also write the destination, unless it is a webhook.
 *
 * @param id of the event subscription
 * @see https://learn.microsoft.com/azure/event-grid/security-authorization#permissions-for-event-subscriptions
 * @throws ServiceError 403 `LinkedAuthorizationFailed`
 */
export function requireWriteAccess(
  { authorization, subscriptionIds }: EventGridState,
  caller: Caller,
  id: string,
  destination: unknown,
): void {
  const scope = textOrEmpty(propertiesIn(destination), "resourceId");
  // Who may write in other subscriptions is not known here.
  if (!subscriptionIds.some((each) => sameText(each, subscriptionOf(scope)))) return;
  const request = { action: `${typeOf(id)}/write`, scope: id };
  authorization.requireLinked(caller, request, { action: `${typeOf(scope)}/write`, scope });
}
