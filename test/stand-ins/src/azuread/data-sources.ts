import type { Account } from "../cloud/account.js";
import { at, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { exactlyOne } from "../provider/checks.js";
import { type DataSource, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { appRoleIds, appRoles, list, strings, v1 } from "./graph.js";
import { servicePrincipalAttributes } from "./service-principal.js";

/** The identity that the provider is signed in as. Needs no request. */
const clientConfig: DataSource<Account> = {
  read: async (_config, { clientId, objectId, tenantId }) => ({
    id: `${tenantId}-${clientId}-${objectId}`,
    client_id: clientId,
    object_id: objectId,
    tenant_id: tenantId,
  }),
};

const servicePrincipal: DataSource<Account> = {
  check: (config) => exactlyOne(config, ["client_id", "object_id", "display_name"]),

  async read(config, account) {
    const found = await find(config, account, "servicePrincipals", () => {
      // The real one does not say which.
      throw new Error("No service principal found");
    });
    return {
      ...servicePrincipalAttributes(found),
      id: `/servicePrincipals/${stringAt(found, "id")}`,
    };
  },
};

const application: DataSource<Account> = {
  check: (config) =>
    exactlyOne(config, ["client_id", "object_id", "display_name", "identifier_uri"]),

  async read(config, account) {
    const found = await find(config, account, "applications", (by) => {
      throw new Error(`No application found with ${by}`);
    });
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

/** Finds the object that the configuration names. */
async function find(
  config: Attributes,
  account: Account,
  collection: string,
  refuse: (by: string) => never,
): Promise<Json> {
  const objectId = text(config, "object_id");
  if (objectId !== "") {
    const found = await account.graph.find(v1(`/${collection}/${objectId}`));
    return found ?? refuse(`object ID: "${objectId}"`);
  }
  for (const [attribute, name, filter] of lookUps) {
    const value = text(config, attribute);
    if (value === "") continue;
    const [found] = await list(account, collection, filter(value.replaceAll("'", "''")));
    return found ?? refuse(`${name}: "${value}"`);
  }
  return refuse("anything: the configuration names none");
}

/** Ways to look up an object: the attribute, its name in messages, and Graph's filter. */
const lookUps: readonly (readonly [string, string, (value: string) => string])[] = [
  ["client_id", "client ID", (value) => `appId eq '${value}'`],
  ["display_name", "display name", (value) => `displayName eq '${value}'`],
  ["identifier_uri", "identifier URI", (value) => `identifierUris/any(uri:uri eq '${value}')`],
];
