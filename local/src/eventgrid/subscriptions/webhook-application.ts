import { type Directory, EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import { ServiceError } from "../../errors.js";
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
  const application = tenant?.applications.byClientIdOrUri(clientId);
  if (!tenant || !application || !tenant.servicePrincipals.byClientId(application.clientId)) {
    throw new ServiceError(
      400,
      "InvalidRequest",
      `The application '${clientId}' that protects the webhook, or its service principal, was not found in the tenant '${tenantId}'.`,
    );
  }
  if (!tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID)) {
    throw new ServiceError(
      400,
      "InvalidRequest",
      `The tenant '${tenantId}' has no service principal for Event Grid's application ${EVENT_GRID_CLIENT_ID}.`,
    );
  }
}
