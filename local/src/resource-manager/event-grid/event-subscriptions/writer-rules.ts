import {
  field,
  invalidRequest,
  isOfType,
  nameIn,
  objectAt,
  outermostOf,
  sameScope,
  sameText,
  serviceError,
  textAt,
  textOrEmpty,
  typeOf,
} from "../../../base/index.js";
import {
  type DeadLetterDestination,
  type DeliveryProblem,
  destinationId,
  type EventDestination,
  type EventSubscription,
  type NamespaceSubscription,
  topicIdOf,
} from "../../../eventgrid/index.js";
import type { EventGridState } from "../state.js";
import { systemTopicOf } from "../topic-resources.js";
import { accountProblem, messagingProblem, type Sender } from "./network-rules.js";

const WRITE_BLOB = ["Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write"];

/**
 * Checks, as Azure does at every write, that the resources exist which a subscription names, that the
 * topic has the identities that it uses, and that it may dead-letter. Whether it may deliver shows at
 * each delivery.
 *
 * @throws ServiceError 400 `InvalidRequest`, and as `requireExisting`
 */
export function requireResources(state: EventGridState, subscription: EventSubscription): void {
  requireEvents(state, subscription.scope);
  const { destination, deadLetter } = subscription.settings;
  requireExisting(state, [...resourcesOf(destination), deadLetter?.properties.resourceId]);
  const delivery = deliveryPrincipal(state, subscription);
  const problems = [
    typeof delivery === "object" ? delivery.problem : undefined,
    deadLetterProblem(state, subscription, true),
  ].filter((each) => each !== undefined);
  if (problems.length > 0) throw invalidRequest(problems.join(" "));
}

/**
 * Storage accounts of some kinds raise events, in the words of
 * https://github.com/Azure/azure-powershell/issues/6278.
 *
 * @see https://learn.microsoft.com/azure/storage/blobs/storage-blob-event-overview
 */
function requireEvents({ resources }: EventGridState, scope: string): void {
  if (!isOfType(scope, "Microsoft.Storage/storageAccounts")) return;
  const kind = textAt(resources.get(scope)?.body, "kind") ?? "StorageV2";
  if (["StorageV2", "BlockBlobStorage", "BlobStorage"].includes(kind)) return;
  throw serviceError["Storage Notification"](
    `The attempt to configure storage notifications for the provided storage account ${nameIn(scope)} failed. Please ensure that your storage account meets the requirements described at https://aka.ms/storageevents.`,
  );
}

/** The resource IDs of a destination; of a storage queue the account's, which Resource Manager has. */
function resourcesOf(destination: EventDestination | undefined): readonly (string | undefined)[] {
  const { resourceId, actionGroups } = destination?.properties ?? {};
  return destination?.endpointType === "MonitorAlert" ? (actionGroups ?? []) : [resourceId];
}

/**
 * Resources of services or groups that are not here may be elsewhere.
 *
 * @throws ServiceError in the words of the service, as azure-service-operator has recorded them
 */
function requireExisting(
  { resources, connectedAccount }: Pick<EventGridState, "resources" | "connectedAccount">,
  ids: readonly (string | undefined)[],
): void {
  const missing = ids.find(
    (id) =>
      id !== undefined &&
      resources.hasGroupOf(id) &&
      resources.typeNamed(typeOf(id)) !== undefined &&
      !sameText(nameIn(id), connectedAccount) &&
      resources.get(id) === undefined,
  );
  if (missing === undefined) return;
  throw serviceError["Endpoint validation"](
    `Destination endpoint not found. Resource details: resourceId: ${missing}. Resource should pre-exist before attempting this operation.`,
  );
}

type IdentityState = Pick<
  EventGridState,
  "authorization" | "connectedAccount" | "identities" | "resources"
>;

/**
 * Whether a storage account is here, but a queue or container of it was not created. In the connected
 * account, clients create them without Resource Manager.
 */
function isMissingIn(
  accountId: string,
  id: string,
  { resources, connectedAccount }: Pick<IdentityState, "connectedAccount" | "resources">,
): boolean {
  const isKnown = resources.get(accountId) !== undefined && resources.get(id) === undefined;
  return isKnown && !sameText(nameIn(accountId), connectedAccount);
}

/** An object ID, `undefined` if no identity is used or it is elsewhere, or why there is none. */
type Principal = string | undefined | { readonly problem: string };

/** The resource whose identities deliver the events of a scope: the topic, domain or system topic. */
function ownerOf({ resources }: IdentityState, scope: string): string {
  return systemTopicOf(resources, scope)?.id ?? topicIdOf(scope);
}

const OF_TOPIC = "Enable the identity of the topic, or of a system topic for this scope.";

/**
 * Why the dead letters of a subscription are lost now. `undefined` if they are not.
 *
 * @param isWrite whether the subscription is being written: the firewall of the account is not asked
 * then
 */
export function deadLetterProblem(
  state: IdentityState,
  { scope, properties, settings: { deadLetter } }: EventSubscription,
  isWrite = false,
): string | undefined {
  if (!deadLetter) return undefined;
  const identity = field(properties, "deadLetterWithResourceIdentity", "identity");
  const ownerId = ownerOf(state, scope);
  const principal = principalIn(state, ownerId, identity, "dead-letters", OF_TOPIC);
  const refused = isWrite ? undefined : accountRefusal(state, deadLetter, ownerId, identity);
  return refused ?? containerProblem(state, principal, deadLetter);
}

/**
 * As `requireResources`, for a subscription of a namespace.
 *
 * @throws ServiceError 400
 */
export function requireNamespaceResources(
  state: EventGridState,
  subscription: Pick<NamespaceSubscription, "id" | "properties" | "settings">,
): void {
  requireExisting(state, [subscription.settings.deadLetter?.properties.resourceId]);
  const problem = namespaceDeadLetterProblem(state, subscription, true);
  if (problem !== undefined) throw invalidRequest(problem);
}

/** As `deadLetterProblem`: subscriptions of a namespace dead-letter with the namespace's identity. */
export function namespaceDeadLetterProblem(
  state: IdentityState,
  { id, properties, settings }: Pick<NamespaceSubscription, "id" | "properties" | "settings">,
  isWrite = false,
): string | undefined {
  const { deadLetter, deliveryMode } = settings;
  if (!deadLetter) return undefined;
  const mode = objectAt(properties, "deliveryConfiguration", deliveryMode.toLowerCase());
  const identity = field(mode, "deadLetterDestinationWithResourceIdentity", "identity");
  const namespaceId = outermostOf(id);
  const remedy = "Enable the identity of the namespace.";
  const principal = principalIn(state, namespaceId, identity, "dead-letters", remedy);
  const refused = isWrite ? undefined : accountRefusal(state, deadLetter, namespaceId, identity);
  return refused ?? containerProblem(state, principal, deadLetter);
}

function accountRefusal(
  state: IdentityState,
  deadLetter: DeadLetterDestination,
  ownerId: string,
  identity: unknown,
): string | undefined {
  const { resources } = state;
  const { resourceId } = deadLetter.properties;
  if (resourceId === undefined) return undefined;
  if (resources.isDeleted(resourceId)) {
    return `The storage account '${resourceId}' does not exist. Create it.`;
  }
  const id = containerId(deadLetter);
  // Accounts of subscriptions that code creates need not be here.
  if (isMissingIn(resourceId, id, state)) {
    return `The container '${id}' does not exist. Create it.`;
  }
  return accountProblem(resources, resourceId, senderOf(ownerId, identity));
}

function senderOf(ownerId: string, identity: unknown): Sender {
  return { ownerId, identity: textAt(identity, "type") };
}

/**
 * What a message needs at its destination, by the type of the destination.
 *
 * @see https://learn.microsoft.com/azure/event-grid/add-identity-roles
 */
const senders: Readonly<
  Record<string, { readonly role: string; readonly actions: readonly string[] }>
> = {
  ServiceBusQueue: {
    role: "Azure Service Bus Data Sender",
    actions: ["Microsoft.ServiceBus/namespaces/messages/send/action"],
  },
  ServiceBusTopic: {
    role: "Azure Service Bus Data Sender",
    actions: ["Microsoft.ServiceBus/namespaces/messages/send/action"],
  },
  EventHub: {
    role: "Azure Event Hubs Data Sender",
    actions: ["Microsoft.EventHub/namespaces/messages/send/action"],
  },
  StorageQueue: {
    role: "Storage Queue Data Message Sender",
    actions: ["add/action", "write"].map(
      (each) => `Microsoft.Storage/storageAccounts/queueServices/queues/messages/${each}`,
    ),
  },
  NamespaceTopic: {
    role: "EventGrid Data Sender",
    actions: ["Microsoft.EventGrid/events/send/action"],
  },
};

/** Why a subscription cannot send to its destination now. `undefined` if it can. */
export function deliveryProblem(
  state: IdentityState & { readonly subscriptionId: string },
  subscription: EventSubscription,
): DeliveryProblem | undefined {
  const { destination } = subscription.settings;
  // Of alerts whose action groups are gone, the documentation says nothing.
  const id =
    destination && destination.endpointType !== "MonitorAlert"
      ? destinationId(destination)
      : undefined;
  const isQueue = destination?.endpointType === "StorageQueue";
  const isMissing =
    id !== undefined &&
    (state.resources.isDeleted(id) || (isQueue && isMissingIn(outermostOf(id), id, state)));
  if (isMissing) {
    return { status: 404, reason: `The destination '${id}' does not exist. Create it.` };
  }
  const reason = sendingProblem(state, subscription);
  return reason === undefined ? undefined : { status: 401, reason };
}

function sendingProblem(
  state: IdentityState & { readonly subscriptionId: string },
  subscription: EventSubscription,
): string | undefined {
  const { destination } = subscription.settings;
  const principal = deliveryPrincipal(state, subscription);
  if (typeof principal === "object") return principal.problem;
  const sender = destination && senders[destination.endpointType];
  if (!sender) return undefined;
  const id = destinationId(destination);
  const { scope, properties } = subscription;
  const identity = field(properties, "deliveryWithResourceIdentity", "identity");
  const refused = networkProblem(state, destination, id, senderOf(ownerOf(state, scope), identity));
  if (refused !== undefined || principal === undefined) return refused;
  if (isAllowed(state, principal, sender.actions, id)) return undefined;
  return `The managed identity with object id '${principal}' is not allowed to send to '${id}'. Assign it the role '${sender.role}' there.`;
}

function networkProblem(
  { resources }: IdentityState,
  { endpointType }: EventDestination,
  id: string,
  sender: Sender,
): string | undefined {
  const ownerId = outermostOf(id);
  if (endpointType === "StorageQueue") return accountProblem(resources, ownerId, sender);
  if (endpointType === "NamespaceTopic") return undefined;
  return messagingProblem(resources, ownerId, sender);
}

function deliveryPrincipal(
  state: IdentityState,
  { scope, properties }: EventSubscription,
): Principal {
  const identity = objectAt(properties, "deliveryWithResourceIdentity", "identity");
  return principalIn(state, ownerOf(state, scope), identity, "delivers", OF_TOPIC);
}

/** The principal of an identity, which its owner must have. */
function principalIn(
  { identities, resources }: IdentityState,
  ownerId: string,
  identity: unknown,
  use: string,
  remedy: string,
): Principal {
  const type = textAt(identity, "type");
  if (type === "SystemAssigned") {
    return (
      identities.principalOf(ownerId) ?? {
        problem: `The event subscription ${use} with a system-assigned identity, but '${ownerId}' has none. ${remedy}`,
      }
    );
  }
  if (type !== "UserAssigned") return undefined;
  const wanted = textOrEmpty(identity, "userAssignedIdentity");
  const owned = objectAt(resources.get(ownerId)?.body, "identity", "userAssignedIdentities");
  if (Object.keys(owned).some((each) => sameScope(each, wanted))) {
    const principal = identities.userAssignedPrincipal(wanted);
    // Identities of groups that are not here may be elsewhere, and so may their roles.
    const isKnown = resources.hasGroupOf(wanted) || resources.isDeleted(wanted);
    if (principal !== undefined || !isKnown) return principal;
    return {
      problem: `The event subscription ${use} with the identity '${wanted}', which does not exist. Create it first.`,
    };
  }
  return {
    problem: `The event subscription ${use} with the identity '${wanted}', which '${ownerId}' does not have. ${remedy}`,
  };
}

function containerId({ properties }: DeadLetterDestination): string {
  return `${properties.resourceId}/blobServices/default/containers/${properties.blobContainerName}`;
}

function containerProblem(
  state: IdentityState,
  principal: Principal,
  deadLetter: DeadLetterDestination,
): string | undefined {
  if (typeof principal === "object") return principal.problem;
  const container = containerId(deadLetter);
  if (principal === undefined || isAllowed(state, principal, WRITE_BLOB, container)) {
    return undefined;
  }
  return `The managed identity with object id '${principal}' is not allowed to dead-letter into '${container}'. Assign it the role 'Storage Blob Data Contributor' there. If access was recently granted, wait until it has taken effect.`;
}

function isAllowed(
  { authorization }: IdentityState,
  principalId: string,
  actions: readonly string[],
  scope: string,
): boolean {
  return actions.some((action) => authorization.allowsData(principalId, action, scope));
}
