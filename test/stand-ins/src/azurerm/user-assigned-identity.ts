import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
import { type ResourceType, text } from "../provider/provider.js";

/**
 * `azurerm_user_assigned_identity`: generic but for its principal, which the directory has to know,
 * because roles are assigned to it. The local directory has no managed identities of their own kind;
 * an application and its principal take the place of one.
 */
export function userAssignedIdentity(generic: ResourceType<Account>): ResourceType<Account> {
  return {
    ...generic,

    async create(planned, account) {
      const { graph, tenantId } = account;
      const displayName = text(planned, "name");
      const application = await graph.call("POST", "/v1.0/applications", { displayName });
      const clientId = stringAt(application.body, "appId");
      const principal = await graph.call("POST", "/v1.0/servicePrincipals", { appId: clientId });
      const identity = {
        client_id: clientId,
        principal_id: stringAt(principal.body, "id"),
        tenant_id: tenantId,
      };
      return generic.create({ ...planned, ...identity }, account);
    },

    async delete(state, account) {
      const principal = `/v1.0/servicePrincipals/${text(state, "principal_id")}`;
      const filter = encodeURIComponent(`appId eq '${text(state, "client_id")}'`);
      const { value } = (await account.graph.get(`/v1.0/applications?$filter=${filter}`)) as {
        value: { id: string }[];
      };
      await account.graph.call("DELETE", principal);
      for (const { id } of value) await account.graph.call("DELETE", `/v1.0/applications/${id}`);
      await generic.delete(state, account);
    },
  };
}
