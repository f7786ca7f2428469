import type { Account } from "../cloud/account.js";
import { computed, type Field, sameNames } from "../provider/fields.js";
import { alreadyExists } from "../provider/provider.js";
import { objects, text, texts, type Value } from "../values/value.js";
import { byClientId, created, type DirectoryObject } from "./directory-object.js";

/** The IDs of the app roles by their values. */
const appRoleIds: Field = {
  ...computed("appRoles"),
  read: (json: Value) =>
    Object.fromEntries(
      objects({ json }, "json")
        .filter((role) => text(role, "value") !== "")
        .map((role) => [text(role, "value"), text(role, "id")]),
    ),
};

/**
 * `azuread_application_registration`: the application without its roles, which are separate
 * resources; and the data source `azuread_application`, which has both.
 */
export const application: DirectoryObject = {
  collection: "applications",
  forceNew: [],
  defaults: { sign_in_audience: "AzureADMyOrg", requested_access_token_version: 2 },
  fields: {
    object_id: computed("id"),
    client_id: computed("appId"),
    app_role_ids: appRoleIds,
    ...sameNames("", "display_name", "description", "notes", "sign_in_audience"),
    requested_access_token_version: "api.requestedAccessTokenVersion",
  },
};

/**
 * `azuread_service_principal`. The caller first owns a new principal, and is then removed from its
 * owners unless the configuration lists the caller.
 */
export const servicePrincipal: DirectoryObject = {
  collection: "servicePrincipals",
  forceNew: ["client_id"],
  defaults: { account_enabled: true },
  fields: {
    object_id: computed("id"),
    client_id: computed("appId"),
    app_role_ids: appRoleIds,
    display_name: computed("displayName"),
    ...sameNames("", "account_enabled", "app_role_assignment_required", "description", "notes"),
  },

  async create(planned, body, account) {
    const clientId = text(planned, "client_id");
    const existing = await byClientId("servicePrincipals", clientId, account);
    if (existing !== undefined) {
      throw alreadyExists("azuread_service_principal", text(existing, "id"));
    }
    const owner = referenceTo(account.objectId, account);
    const bound = { appId: clientId, "owners@odata.bind": [owner], ...body };
    const objectId = await created("servicePrincipals", bound, account);
    const owners = `/v1.0/servicePrincipals/${objectId}/owners`;
    const wanted = texts(planned, "owners");
    for (const other of wanted.filter((one) => one !== account.objectId)) {
      const reference = { "@odata.id": referenceTo(other, account) };
      await account.graph.call("POST", `${owners}/$ref`, reference);
    }
    if (!wanted.includes(account.objectId)) {
      await account.graph.call("DELETE", `${owners}/${account.objectId}/$ref`);
    }
    return objectId;
  },

  async learn(objectId, { graph }) {
    const owners = await graph.get(`/v1.0/servicePrincipals/${objectId}/owners`);
    return { owners: objects(owners, "value").map((owner) => text(owner, "id")) };
  },
};

function referenceTo(objectId: string, { tenantId }: Account): string {
  return `https://graph.microsoft.com/v1.0/${tenantId}/directoryObjects/${objectId}`;
}
