import type { Account } from "../cloud/account.js";
import { type ResourceType, text } from "../provider/provider.js";
import { API_VERSION, versioned } from "./versions.js";

/**
 * `azurerm_storage_account` and `azurerm_storage_container`: generic, and written to Resource Manager,
 * where other tools look for dead-letter containers.
 */
export function storage(generic: ResourceType<Account>): ResourceType<Account> {
  return {
    ...generic,

    async create(planned, account) {
      const created = await generic.create(planned, account);
      const path = versioned(text(created, "id"), API_VERSION.storage);
      const body = { location: text(planned, "location"), kind: "StorageV2", sku };
      await account.resourceManager.change("PUT", path, body, "CreateOrUpdate");
      return created;
    },

    async delete(state, account) {
      await account.resourceManager.remove(versioned(text(state, "id"), API_VERSION.storage));
      await generic.delete(state, account);
    },
  };
}

const sku = { name: "Standard_LRS" };
