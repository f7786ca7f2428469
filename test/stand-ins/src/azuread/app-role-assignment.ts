import type { Account } from "../cloud/account.js";
import { stringAt } from "../cloud/json-client.js";
import { eventually } from "../cloud/polling.js";
import { doing, Refusal } from "../cloud/refusal.js";
import { uuids } from "../provider/checks.js";
import { type ResourceType, text } from "../provider/provider.js";
import { v1 } from "./graph.js";

/**
 * Graph may not know a new principal everywhere yet, which the real provider waits for. It does not
 * wait for a new app role ("Permission being assigned was not found on application").
 */
function isLate(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
  if (error.status !== 404 && !error.message.includes("Not a valid reference update")) throw error;
}

/** `azuread_app_role_assignment`: grants one principal an app role of another. */
export const appRoleAssignment: ResourceType<Account> = {
  forceNew: ["app_role_id", "principal_object_id", "resource_object_id"],
  check: (config) => uuids(config, "app_role_id", "principal_object_id", "resource_object_id"),

  async create(planned, account) {
    const resourceId = text(planned, "resource_object_id");
    const principalId = text(planned, "principal_object_id");
    const path = v1(`/servicePrincipals/${resourceId}/appRoleAssignedTo`);
    const body = { appRoleId: text(planned, "app_role_id"), principalId, resourceId };
    const created = await doing(
      `Could not create app role assignment for principal "${principalId}"`,
      () =>
        eventually(account.graph.polling, () =>
          account.graph.call("POST", path, body).catch(isLate),
        ),
    );
    const id = stringAt(created.body, "id");
    return {
      id: `/servicePrincipals/${resourceId}/appRoleAssignedTo/${id}`,
      principal_display_name: stringAt(created.body, "principalDisplayName"),
      principal_type: stringAt(created.body, "principalType"),
      resource_display_name: stringAt(created.body, "resourceDisplayName"),
    };
  },

  async read(state, account) {
    const found = await account.graph.find(v1(text(state, "id")));
    if (found === undefined) return undefined;
    return {
      app_role_id: stringAt(found, "appRoleId"),
      principal_object_id: stringAt(found, "principalId"),
      resource_object_id: stringAt(found, "resourceId"),
      principal_display_name: stringAt(found, "principalDisplayName"),
      principal_type: stringAt(found, "principalType"),
      resource_display_name: stringAt(found, "resourceDisplayName"),
    };
  },

  async delete(state, account) {
    try {
      await account.graph.call("DELETE", v1(text(state, "id")));
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
  },
};
