import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { resourceIdSegment } from "./resource-id.js";
import { type AzureRoleAssignment, grantAzureRole } from "./role-assignment.js";
import type { ManagedIdentity } from "./subscription-settings.js";

/** Container for events that could not be delivered. */
export interface DeadLetterProps {
  /** The storage account: its resource ID, or the construct that makes it. */
  readonly storageAccount: string | { readonly id: string };
  /** The blob container: its name, or the construct that makes it. */
  readonly container: string | { readonly name: string };
  /**
   * Managed identity that writes into the container. It is given the role that it needs there, and
   * the event subscription waits until that has taken effect: Azure refuses one whose identity may
   * not write yet.
   *
   * It has to be an identity of the topic that the events come from; where the scope is no topic,
   * of a system topic for that scope.
   *
   * @default Event Grid's own access to the account
   */
  readonly identity?: ManagedIdentity & {
    /**
     * Object ID of the identity's principal. Required, unless `existingAssignments` says with
     * `"deadLetter"` that the identity has the role.
     */
    readonly principalId?: string | undefined;
  };
}

/** Resource ID of the storage account. */
export function storageAccountId({ storageAccount }: DeadLetterProps): string {
  return typeof storageAccount === "string" ? storageAccount : storageAccount.id;
}

/** Name of the blob container. */
export function containerName({ container }: DeadLetterProps): string {
  return typeof container === "string" ? container : container.name;
}

/** Lets the identity write into the container, and nowhere else in the account. */
export function grantDeadLettering(
  construct: Construct,
  deadLetter: DeadLetterProps,
  azurerm: TerraformProvider | undefined,
): AzureRoleAssignment | undefined {
  const principalId = deadLetter.identity?.principalId;
  if (principalId === undefined) return undefined;
  const accountId = storageAccountId(deadLetter);
  return grantAzureRole(construct, {
    role: "Storage Blob Data Contributor",
    scope: `${accountId}/blobServices/default/containers/${containerName(deadLetter)}`,
    // The account may lie in another subscription than the binding.
    subscriptionId: resourceIdSegment(accountId, 2),
    principalId,
    principalType: "ServicePrincipal",
    description: "Event Grid dead-letters into this container",
    azurerm,
  });
}
