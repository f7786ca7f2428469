import type { Caller } from "../../api/index.js";
import { invalidRequest, objectAt, ServiceError, textAt } from "../../base/index.js";
import {
  type Directory,
  EVENT_GRID_CLIENT_ID,
  SECURE_WEBHOOK_ROLE,
  type ServicePrincipal,
} from "../../directory/index.js";
import type {
  DeadLetterDestination,
  EventSubscription,
  NamespaceSubscription,
} from "../../eventgrid/index.js";
import type { EventGridState } from "./state.js";
import { systemTopicOf } from "./topic-resources.js";

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
  return new ServiceError(
    401,
    "Unauthorized",
    `${message} See https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery.`,
  );
}

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/**
 * Checks, as Azure does at every write, that the topic's identity may dead-letter.
 *
 * @throws ServiceError 400 `InvalidRequest`
 */
export function requireDeadLetterRole(
  state: EventGridState,
  subscription: EventSubscription,
): void {
  const problem = deadLetterProblem(state, subscription);
  if (problem !== undefined) throw invalidRequest(problem);
}

type DeadLetterState = Pick<EventGridState, "authorization" | "identities" | "resources">;

/**
 * Why a subscription cannot dead-letter with a system-assigned identity: the topic, or a system topic
 * for the scope, needs such an identity with write access to the container. `undefined` if it can.
 * User-assigned identities are not checked.
 */
export function deadLetterProblem(
  state: DeadLetterState,
  { scope, properties, settings: { deadLetter } }: EventSubscription,
): string | undefined {
  const identity = objectAt(properties, "deadLetterWithResourceIdentity", "identity");
  if (!deadLetter || !isSystemAssigned(identity)) return undefined;
  const topicId = systemTopicOf(state.resources, scope)?.id ?? scope;
  const remedy = "Enable the identity of the topic, or of a system topic for this scope.";
  return identityProblem(state, topicId, deadLetter, remedy);
}

/** As `deadLetterProblem`: subscriptions of a namespace dead-letter with the namespace's identity. */
export function namespaceDeadLetterProblem(
  state: DeadLetterState,
  { id, properties, settings }: Pick<NamespaceSubscription, "id" | "properties" | "settings">,
): string | undefined {
  const { deadLetter, deliveryMode } = settings;
  const mode = objectAt(properties, "deliveryConfiguration", deliveryMode.toLowerCase());
  const identity = objectAt(mode, "deadLetterDestinationWithResourceIdentity", "identity");
  if (!deadLetter || !isSystemAssigned(identity)) return undefined;
  const namespaceId = id.split("/").slice(0, 9).join("/");
  return identityProblem(state, namespaceId, deadLetter, "Enable the identity of the namespace.");
}

function isSystemAssigned(identity: unknown): boolean {
  return /^SystemAssigned$/i.test(textAt(identity, "type") ?? "");
}

function identityProblem(
  { authorization, identities }: DeadLetterState,
  ownerId: string,
  deadLetter: DeadLetterDestination,
  remedy: string,
): string | undefined {
  const principalId = identities.principalOf(ownerId);
  if (principalId === undefined) {
    return `The event subscription dead-letters with a system-assigned identity, but '${ownerId}' has none. ${remedy}`;
  }
  const container = `${deadLetter.storageAccountId}/blobServices/default/containers/${deadLetter.container}`;
  if (authorization.allowsData(principalId, WRITE_BLOB, container)) return undefined;
  return `The managed identity with object id '${principalId}' is not allowed to dead-letter into '${container}'. Assign it the role 'Storage Blob Data Contributor' there. If access was recently granted, wait until it has taken effect.`;
}
