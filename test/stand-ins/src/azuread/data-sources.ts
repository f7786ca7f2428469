import type { Account } from "../cloud/account.js";
import { at, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { type DataSource, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { appRoleIds, appRoles, list, strings, v1 } from "./graph.js";
import { servicePrincipalAttributes } from "./service-principal.js";

/** Who the provider is signed in as. Nothing is asked for it. */
const clientConfig: DataSource<Account> = {
  read: async (_config, { clientId, objectId, tenantId }) => ({
    id: `${tenantId}-${clientId}-${objectId}`,
    client_id: clientId,
    object_id: objectId,
    tenant_id: tenantId,
  }),
};

const servicePrincipal: DataSource<Account> = {
  async read(config, account) {
    const found = await find(config, account, "servicePrincipals", "No service principal found");
    return {
      ...servicePrincipalAttributes(found),
      id: `/servicePrincipals/${stringAt(found, "id")}`,
    };
  },
};

const application: DataSource<Account> = {
  async read(config, account) {
    const found = await find(config, account, "applications", "No application found");
    const version = at(found, "api", "requestedAccessTokenVersion");
    return {
      id: `/applications/${stringAt(found, "id")}`,
      object_id: stringAt(found, "id"),
      client_id: stringAt(found, "appId"),
      display_name: stringAt(found, "displayName"),
      description: stringAt(found, "description"),
      notes: stringAt(found, "notes"),
      sign_in_audience: stringAt(found, "signInAudience"),
      publisher_domain: stringAt(found, "publisherDomain"),
      identifier_uris: strings(listAt(found, "identifierUris")),
      tags: strings(listAt(found, "tags")),
      api: [{ requested_access_token_version: typeof version === "number" ? version : 0 }],
      app_roles: appRoles(found),
      app_role_ids: appRoleIds(found),
      oauth2_permission_scope_ids: {},
    };
  },
};

/** The azuread data sources. */
export const dataSources: Readonly<Record<string, DataSource<Account>>> = {
  azuread_client_config: clientConfig,
  azuread_service_principal: servicePrincipal,
  azuread_application: application,
};

/** The one object that the configuration names by object ID, client ID or display name. */
async function find(
  config: Attributes,
  account: Account,
  collection: string,
  nothing: string,
): Promise<Json> {
  const objectId = text(config, "object_id");
  if (objectId !== "") {
    const found = await account.graph.find(v1(`/${collection}/${objectId}`));
    if (found === undefined) throw new Error(`${nothing} with object ID: "${objectId}"`);
    return found;
  }
  const clientId = text(config, "client_id");
  const [property, value, name] =
    clientId === ""
      ? ["displayName", text(config, "display_name"), "display name"]
      : ["appId", clientId, "client ID"];
  const [found] = await list(account, collection, property, value);
  if (found === undefined) throw new Error(`${nothing} with ${name}: "${value}"`);
  return found;
}
