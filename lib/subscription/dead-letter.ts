import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { type AzureRoleAssignment, grantAzureRole } from "../roles/index.js";
import { resourceIdSegment } from "../terraform/index.js";
import type { DeadLetterProps } from "./settings.js";

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
