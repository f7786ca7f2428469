import type { Account } from "../cloud/account.js";
import { isObject, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { eventually } from "../cloud/polling.js";
import type { Attributes, Value } from "../values/value.js";

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

/** Waits until the directory no longer has the object. */
export async function untilGone(account: Account, path: string): Promise<void> {
  await eventually(account.graph.polling, async () =>
    (await account.graph.find(v1(path))) === undefined ? true : undefined,
  );
}

/** The directory's object ID at the end of a resource ID such as `/applications/{id}`. */
export function objectIdOf(resourceId: string): string {
  return resourceId.split("/")[2] ?? resourceId;
}

/** App roles as the computed attribute `app_roles` shows them. */
export function appRoles(object: Json): Attributes[] {
  return listAt(object, "appRoles").map((role) => ({
    id: stringAt(role, "id"),
    value: stringAt(role, "value"),
    display_name: stringAt(role, "displayName"),
    description: stringAt(role, "description"),
    enabled: isObject(role) && role.isEnabled === true,
    allowed_member_types: strings(listAt(role, "allowedMemberTypes")),
  }));
}

/** The IDs of the app roles by their values, as the computed attribute `app_role_ids` shows them. */
export function appRoleIds(object: Json): Attributes {
  return Object.fromEntries(
    listAt(object, "appRoles")
      .filter((role) => stringAt(role, "value") !== "")
      .map((role) => [stringAt(role, "value"), stringAt(role, "id")]),
  );
}

/** The strings of a list. */
export function strings(values: Json[]): string[] {
  return values.filter((value) => typeof value === "string");
}

/** The string for a request to Graph. An empty or missing value becomes `null`, which clears it. */
export function nullable(value: Value | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
