import type { Account } from "../cloud/account.js";
import { isObject, type Json, listAt, stringAt } from "../cloud/json-client.js";
import type { Fields } from "../tables/fields.js";
import type { Attributes } from "../values/value.js";

/** A path of Microsoft Graph's stable API. */
export function v1(path: string): string {
  return `/v1.0${path}`;
}

/** The objects of a collection that match a filter. */
export async function list(account: Account, collection: string, filter: string): Promise<Json[]> {
  const query = encodeURIComponent(filter);
  return listAt(await account.graph.get(v1(`/${collection}?$filter=${query}`)), "value");
}

/** The message of azuread about an object that somebody else created. */
export function alreadyExistsInEntra(type: string, id: string): Error {
  return new Error(
    `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${type}" for more information.`,
  );
}

/** The computed attributes about an object's app roles. */
export const appRoleAttributes: Fields = {
  app_roles: { path: "appRoles", read: appRoles },
  app_role_ids: { path: "appRoles", read: appRoleIds },
  oauth2_permission_scope_ids: { path: "oauth2PermissionScopes", read: () => ({}) },
  oauth2_permission_scopes: { path: "oauth2PermissionScopes", read: () => [] },
};

function appRoles(roles: Json | undefined): Attributes[] {
  return objects(roles).map((role) => ({
    id: stringAt(role, "id"),
    value: stringAt(role, "value"),
    display_name: stringAt(role, "displayName"),
    description: stringAt(role, "description"),
    enabled: isObject(role) && role.isEnabled === true,
    allowed_member_types: listAt(role, "allowedMemberTypes").map(String),
  }));
}

/** The IDs of the app roles by their values. */
function appRoleIds(roles: Json | undefined): Attributes {
  return Object.fromEntries(
    objects(roles)
      .filter((role) => stringAt(role, "value") !== "")
      .map((role) => [stringAt(role, "value"), stringAt(role, "id")]),
  );
}

function objects(json: Json | undefined): Json[] {
  return Array.isArray(json) ? json : [];
}
