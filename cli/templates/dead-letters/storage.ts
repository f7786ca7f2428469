import { createHash } from "node:crypto";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import type { Construct } from "constructs";

export interface StorageProps {
  readonly resourceGroupName: string;
  readonly location: string;
  readonly cloudSubscriptionId: string;
}

/** A storage account with a container for events that could not be delivered. */
export function createStorage(scope: Construct, props: StorageProps) {
  const { cloudSubscriptionId, ...where } = props;
  const account = new StorageAccount(scope, "storage", {
    ...where,
    name: storageAccountName("orders", cloudSubscriptionId),
    accountTier: "Standard",
    accountReplicationType: "LRS",
    allowNestedItemsToBePublic: false,
  });
  const deadLetters = new StorageContainer(scope, "dead-letters", {
    name: "dead-letters",
    storageAccountId: account.id,
  });
  return { account, deadLetters };
}

/** The name must be unique in all of Azure: 3 to 24 lower-case letters and digits. */
function storageAccountName(name: string, cloudSubscriptionId: string): string {
  const hash = createHash("sha256").update(`${cloudSubscriptionId}/${name}`).digest("hex");
  return `${name.replaceAll("-", "").slice(0, 16)}${hash.slice(0, 8)}`;
}
