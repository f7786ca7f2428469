import { type Directory, EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import { invalidRequest } from "../../errors.js";
import type { EventSubscription } from "./event-subscription.js";

/**
 * Refuses a subscription for whose webhook no token could be had.
 *
 * @throws ServiceError when the application that protects the webhook, its service principal or
 * Event Grid's own is missing in the tenant
 */
export function checkWebhookApplication(
  { settings }: EventSubscription,
  directory: Directory,
): void {
  const { clientId, tenantId } = settings;
  if (clientId === undefined) return;
  const tenant = directory.tenant(tenantId);
  if (!tenant?.principalOf(clientId)) {
    throw invalidRequest(
      `The application '${clientId}' that protects the webhook, or its service principal, was not found in the tenant '${tenantId}'.`,
    );
  }
  if (!tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID)) {
    throw invalidRequest(
      `The tenant '${tenantId}' has no service principal for Event Grid's application ${EVENT_GRID_CLIENT_ID}.`,
    );
  }
}
