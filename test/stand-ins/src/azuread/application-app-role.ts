import type { Account } from "../cloud/account.js";
import { isObject, type Json, type JsonObject, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { matches, uuids } from "../provider/checks.js";
import { type ResourceType, text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { alreadyExistsInEntra, objectIdOf, v1 } from "./graph.js";

/** `azuread_application_app_role`: one role among those of an application. */
export const applicationAppRole: ResourceType<Account> = {
  forceNew: ["application_id", "role_id"],
  check: (config) => [
    ...uuids(config, "role_id"),
    ...matches(config, "application_id", /^\/applications\/[^/]+$/, "expected /applications/{id}"),
  ],

  async create(planned, account) {
    const application = objectIdOf(text(planned, "application_id"));
    const id = `/applications/${application}/appRoles/${text(planned, "role_id")}`;
    const roles = await rolesOf(application, account);
    if (roles.some(isRole(text(planned, "role_id")))) {
      throw alreadyExistsInEntra("azuread_application_app_role", id);
    }
    await setRoles(application, [...roles, role(planned)], account);
    return { id };
  },

  async read(state, account) {
    const [, , application = "", , roleId = ""] = text(state, "id").split("/");
    const found = (await rolesOf(application, account)).find(isRole(roleId));
    if (found === undefined) return undefined;
    return {
      application_id: `/applications/${application}`,
      role_id: roleId,
      value: stringAt(found, "value"),
      display_name: stringAt(found, "displayName"),
      description: stringAt(found, "description"),
      allowed_member_types: listAt(found, "allowedMemberTypes").map(String),
    };
  },

  async update(prior, planned, account) {
    const application = objectIdOf(text(prior, "application_id"));
    const others = (await rolesOf(application, account)).filter(
      (each) => !isRole(text(prior, "role_id"))(each),
    );
    await setRoles(application, [...others, role(planned)], account);
    return {};
  },

  /** A role can be removed only once it is disabled. */
  async delete(state, account) {
    const application = objectIdOf(text(state, "application_id"));
    const mine = isRole(text(state, "role_id"));
    const roles = await rolesOf(application, account);
    if (!roles.some(mine)) return;
    const disabled = roles.map((each) => (mine(each) ? { ...each, isEnabled: false } : each));
    await setRoles(application, disabled, account);
    await setRoles(
      application,
      roles.filter((each) => !mine(each)),
      account,
    );
  },
};

function role(planned: Attributes): JsonObject {
  return {
    id: text(planned, "role_id"),
    value: text(planned, "value"),
    displayName: text(planned, "display_name"),
    description: text(planned, "description"),
    allowedMemberTypes: texts(planned, "allowed_member_types"),
    isEnabled: true,
  };
}

function isRole(roleId: string): (role: JsonObject) => boolean {
  return (each) => stringAt(each, "id").toLowerCase() === roleId.toLowerCase();
}

async function rolesOf(application: string, account: Account): Promise<JsonObject[]> {
  const found = await account.graph.find(v1(`/applications/${application}`));
  return listAt(found, "appRoles").filter(isObject);
}

async function setRoles(application: string, roles: Json, account: Account): Promise<void> {
  await doing(`updating app roles of Application (Application: "${application}")`, () =>
    account.graph.call("PATCH", v1(`/applications/${application}`), { appRoles: roles }),
  );
}
