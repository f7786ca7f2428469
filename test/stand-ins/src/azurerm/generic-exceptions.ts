import type { Account } from "../cloud/account.js";
import { type ResourceType, text } from "../provider/provider.js";

const STORAGE_API = "?api-version=2023-05-01";

/**
 * `azurerm_storage_account` and `azurerm_storage_container`: generic, and written to Resource Manager,
 * where other tools look for dead-letter containers.
 */
export function storage(generic: ResourceType<Account>): ResourceType<Account> {
  return {
    ...generic,

    async create(planned, account) {
      const created = await generic.create(planned, account);
      const path = `${text(created, "id")}${STORAGE_API}`;
      const sku = { name: "Standard_LRS" };
      // A container has no location.
      const location = text(planned, "location") || undefined;
      const body = { location, kind: "StorageV2", sku };
      await account.resourceManager.change("PUT", path, body, "CreateOrUpdate");
      return created;
    },

    async delete(state, account) {
      await account.resourceManager.remove(`${text(state, "id")}${STORAGE_API}`);
      await generic.delete(state, account);
    },
  };
}
