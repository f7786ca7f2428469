import type { Account } from "../cloud/account.js";
import { type JsonObject, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { text, texts } from "../provider/provider.js";
import { type DirectoryObject, objectIdOf } from "../tables/directory-object.js";
import { sameNames } from "../tables/fields.js";
import type { Attributes } from "../values/value.js";
import { alreadyExistsInEntra, appRoleAttributes, list, v1 } from "./graph.js";

/**
 * `azuread_service_principal`. With `use_existing` it takes over an existing principal, as the real
 * provider does: creation overwrites its settings, and destroying the resource deletes the
 * principal. The caller first owns a new principal, and is then removed from its owners unless the
 * configuration lists the caller.
 */
export const servicePrincipal: DirectoryObject = {
  collection: "servicePrincipals",
  named: "service principal",
  forceNew: ["client_id", "use_existing"],
  defaults: { account_enabled: true },
  fields: {
    ...appRoleAttributes,
    object_id: "id",
    client_id: { path: "appId", only: "read" },
    application_tenant_id: "appOwnerOrganizationId",
    homepage_url: "homepage",
    redirect_uris: "replyUrls",
    type: "servicePrincipalType",
    account_enabled: { path: "accountEnabled", read: (enabled) => enabled !== false },
    ...sameNames(
      ...["alternative_names", "app_role_assignment_required", "description", "display_name"],
      ...["login_url", "logout_url", "notes", "notification_email_addresses"],
      ...["preferred_single_sign_on_mode", "saml_metadata_url", "service_principal_names"],
      ...["sign_in_audience", "tags"],
    ),
  },

  async create(planned, body, account) {
    const clientId = text(planned, "client_id");
    const [existing] = await list(account, "servicePrincipals", `appId eq '${clientId}'`);
    if (existing === undefined) return createNew(clientId, planned, body, account);
    const objectId = stringAt(existing, "id");
    if (planned.use_existing !== true) {
      throw alreadyExistsInEntra("azuread_service_principal", objectId);
    }
    await account.graph.call("PATCH", v1(`/servicePrincipals/${objectId}`), body);
    return objectId;
  },

  async afterUpdate(prior, planned, account) {
    const objectId = objectIdOf(text(prior, "id"));
    await changeOwners(objectId, texts(prior, "owners"), texts(planned, "owners"), account);
  },

  async learn(objectId, account) {
    const path = v1(`/servicePrincipals/${objectId}/owners`);
    const owners = listAt(await account.graph.get(path), "value");
    return { owners: owners.map((owner) => stringAt(owner, "id")) };
  },
};

async function createNew(
  clientId: string,
  planned: Attributes,
  body: JsonObject,
  account: Account,
): Promise<string> {
  const created = await account.graph.call("POST", v1("/servicePrincipals"), {
    appId: clientId,
    "owners@odata.bind": [reference(account.objectId, account)],
    ...body,
  });
  const objectId = stringAt(created.body, "id");
  await changeOwners(objectId, [account.objectId], texts(planned, "owners"), account);
  return objectId;
}

async function changeOwners(
  objectId: string,
  before: readonly string[],
  after: readonly string[],
  account: Account,
): Promise<void> {
  const path = `/servicePrincipals/${objectId}/owners`;
  for (const owner of after.filter((one) => !before.includes(one))) {
    const body = { "@odata.id": reference(owner, account) };
    await doing("Could not add owners to service principal", () =>
      account.graph.call("POST", v1(`${path}/$ref`), body),
    );
  }
  for (const owner of before.filter((one) => !after.includes(one))) {
    await doing("Could not remove owners from service principal", () =>
      account.graph.call("DELETE", v1(`${path}/${owner}/$ref`)),
    );
  }
}

function reference(objectId: string, { tenantId }: Account): string {
  return `https://graph.microsoft.com/v1.0/${tenantId}/directoryObjects/${objectId}`;
}
