import { type Reachable, signIn } from "../local/support/management-client.js";

/**
 * Creates a storage account with a container, as another team would. The stand-ins do not create
 * accounts in Resource Manager, which asks for those that an event subscription names.
 *
 * @returns the ID of the account
 */
export async function createAccount(
  cloud: Reachable & { readonly subscriptionId: string },
  name: string,
  container: string,
): Promise<string> {
  const call = await signIn(cloud);
  const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/storage`;
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
  const location = "westeurope";
  await call("PUT", group, { location });
  await call("PUT", id, { location, kind: "StorageV2", sku: { name: "Standard_LRS" } });
  await call("PUT", `${id}/blobServices/default/containers/${container}`, {});
  return id;
}
