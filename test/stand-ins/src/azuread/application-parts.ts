import type { Account } from "../cloud/account.js";
import { isObject, type JsonObject, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { objectIdOf } from "../tables/directory-object.js";
import { type Fields, readFields, sameNames, writeFields } from "../tables/fields.js";
import type { Attributes } from "../values/value.js";
import { alreadyExistsInEntra, v1 } from "./graph.js";

const roleFields: Fields = {
  role_id: "id",
  ...sameNames("value", "display_name", "description", "allowed_member_types"),
};

/** `azuread_application_app_role`: one role among those of an application. */
export function applicationAppRole(schema: BlockSchema): ResourceType<Account> {
  const role = (planned: Attributes): JsonObject => ({
    ...writeFields(schema, roleFields, planned, "null"),
    isEnabled: true,
  });
  return {
    forceNew: ["application_id", "role_id"],

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
      const application_id = `/applications/${application}`;
      return { ...readFields(schema, roleFields, found), application_id };
    },

    async update(prior, planned, account) {
      const application = objectIdOf(text(prior, "application_id"));
      const isMine = isRole(text(prior, "role_id"));
      const others = (await rolesOf(application, account)).filter((each) => !isMine(each));
      await setRoles(application, [...others, role(planned)], account);
      return {};
    },

    /** A role can be removed only once it is disabled. */
    async delete(state, account) {
      const application = objectIdOf(text(state, "application_id"));
      const isMine = isRole(text(state, "role_id"));
      const roles = await rolesOf(application, account);
      if (!roles.some(isMine)) return;
      const disabled = roles.map((each) => (isMine(each) ? { ...each, isEnabled: false } : each));
      const others = roles.filter((each) => !isMine(each));
      for (const next of [disabled, others]) await setRoles(application, next, account);
    },
  };
}

function isRole(roleId: string): (role: JsonObject) => boolean {
  return (role) => stringAt(role, "id").toLowerCase() === roleId.toLowerCase();
}

async function rolesOf(application: string, account: Account): Promise<JsonObject[]> {
  const found = await account.graph.find(v1(`/applications/${application}`));
  return listAt(found, "appRoles").filter(isObject);
}

async function setRoles(application: string, roles: JsonObject[], account: Account): Promise<void> {
  await doing(`updating app roles of Application (Application: "${application}")`, () =>
    account.graph.call("PATCH", v1(`/applications/${application}`), { appRoles: roles }),
  );
}

const passwordFields: Fields = {
  ...sameNames("key_id", "display_name"),
  start_date: "startDateTime",
  end_date: "endDateTime",
};

/** `azuread_application_password`: a client secret. The directory returns its value only once. */
export function applicationPassword(schema: BlockSchema): ResourceType<Account> {
  return {
    forceNew: [
      ...["application_id", "display_name", "start_date", "end_date", "end_date_relative"],
      "rotate_when_changed",
    ],

    async create(planned, account) {
      const application = objectIdOf(text(planned, "application_id"));
      const path = v1(`/applications/${application}/addPassword`);
      const passwordCredential = writeFields(schema, passwordFields, planned, "absent");
      const { body } = await doing("adding password for Application", () =>
        account.graph.call("POST", path, { passwordCredential }),
      );
      return {
        ...readFields(schema, passwordFields, body),
        id: `${application}/password/${stringAt(body, "keyId")}`,
        value: stringAt(body, "secretText"),
      };
    },

    async read(state, account) {
      const [application = "", , keyId = ""] = text(state, "id").split("/");
      const found = await account.graph.find(v1(`/applications/${application}`));
      const credential = listAt(found, "passwordCredentials").find(
        (each) => stringAt(each, "keyId") === keyId,
      );
      if (credential === undefined) return undefined;
      const application_id = `/applications/${application}`;
      return { ...readFields(schema, passwordFields, credential), application_id };
    },

    async delete(state, account) {
      const [application = "", , keyId = ""] = text(state, "id").split("/");
      await doing("removing password from Application", () =>
        account.graph.call("POST", v1(`/applications/${application}/removePassword`), { keyId }),
      );
    },
  };
}
