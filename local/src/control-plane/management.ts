import type { EventSubscription, NamespaceSubscription } from "../eventgrid/index.js";
import {
  Authorization,
  deadLetterProblem,
  deliveryProblem,
  type EventGridState,
  type EventGridStores,
  ManagedIdentities,
  namespaceDeadLetterProblem,
  Operations,
  ProviderRegistrations,
  Resources,
  RoleAssignments,
  RoleDefinitions,
} from "../resource-manager/index.js";
import type { ControlPlaneOptions } from "./control-plane-options.js";

/** The stores of Resource Manager, without those of Event Grid. */
export type ManagementStores = Omit<EventGridState, keyof EventGridStores>;

/** Creates the stores of the Azure subscriptions. */
export function managementStores(
  subscription: Pick<
    ManagementStores,
    "tenantId" | "subscriptionId" | "subscriptionIds" | "directory" | "now" | "connectedAccount"
  >,
  options: ControlPlaneOptions,
): ManagementStores {
  const { now, directory, tenantId } = subscription;
  const roleAssignments = new RoleAssignments({
    now,
    delaySeconds: options.roleAssignmentDelaySeconds,
    deletionDelaySeconds: options.assignmentDeletionDelaySeconds,
  });
  const roleDefinitions = new RoleDefinitions();
  const tenant = directory.createTenant({ tenantId });
  const identities = new ManagedIdentities(tenant);
  return {
    ...subscription,
    roleAssignments,
    roleDefinitions,
    authorization: new Authorization(roleAssignments, roleDefinitions, now, tenant),
    registrations: new ProviderRegistrations({
      eventGridRegistered: options.eventGridRegistered ?? false,
    }),
    identities,
    resources: new Resources({ identities, roleAssignments }),
    operations: new Operations(),
  };
}

/** Returns the permissions that roles give in Event Grid: all of them in a cloud without Resource Manager. */
export function permissionsIn(stores: ManagementStores | undefined) {
  const allows = (principalId: string, action: string, id: string) =>
    stores?.authorization.allowsData(principalId, `Microsoft.EventGrid/events/${action}`, id) ??
    true;
  return {
    /** Whether the principal may publish to the topic. */
    maySend: (principalId: string, topicId: string) => allows(principalId, "send/action", topicId),
    /** Whether the principal may receive events from the resource of a namespace. */
    mayReceive: (principalId: string, id: string) => allows(principalId, "receive/action", id),
    /** Why dead letters of a namespace cannot be written to their container; `undefined` if they can. */
    namespaceDeadLetterProblem: (subscription: NamespaceSubscription) =>
      stores && namespaceDeadLetterProblem(stores, subscription),
    /** Why dead letters cannot be written to their container; `undefined` if they can. */
    deadLetterProblem: (subscription: EventSubscription) =>
      stores && deadLetterProblem(stores, subscription),
    /** Why the subscription may not send to its destination; `undefined` if it may. */
    deliveryProblem: (subscription: EventSubscription) =>
      stores && deliveryProblem(stores, subscription),
  };
}
