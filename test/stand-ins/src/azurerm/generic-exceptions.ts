import { list, v1 } from "../azuread/graph.js";
import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
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

/**
 * `azurerm_user_assigned_identity`: generic except for its principal, which must be in the
 * directory because roles are assigned to it. The local directory has no managed identities, so an
 * application and its principal take their place.
 */
export function userAssignedIdentity(generic: ResourceType<Account>): ResourceType<Account> {
  return {
    ...generic,

    async create(planned, account) {
      const { graph, tenantId } = account;
      const displayName = text(planned, "name");
      const application = await graph.call("POST", v1("/applications"), { displayName });
      const clientId = stringAt(application.body, "appId");
      const principal = await graph.call("POST", v1("/servicePrincipals"), { appId: clientId });
      const identity = {
        client_id: clientId,
        principal_id: stringAt(principal.body, "id"),
        tenant_id: tenantId,
      };
      return generic.create({ ...planned, ...identity }, account);
    },

    async delete(state, account) {
      const { graph } = account;
      await graph.call("DELETE", v1(`/servicePrincipals/${text(state, "principal_id")}`));
      const filter = `appId eq '${text(state, "client_id")}'`;
      for (const application of await list(account, "applications", filter)) {
        await graph.call("DELETE", v1(`/applications/${stringAt(application, "id")}`));
      }
      await generic.delete(state, account);
    },
  };
}
