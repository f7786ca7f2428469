import { list, v1 } from "../azuread/graph.js";
import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
import { type ResourceType, text } from "../provider/provider.js";

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
