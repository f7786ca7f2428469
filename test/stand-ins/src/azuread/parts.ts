import type { Account } from "../cloud/account.js";
import { doing } from "../cloud/client.js";
import { computed, type Fields, readFields, sameNames, writeFields } from "../provider/fields.js";
import { alreadyExists, type ResourceType } from "../provider/provider.js";
import { type Attributes, objects, text } from "../values/value.js";

/** Objects of an application; none if it is missing. */
async function listed({ graph }: Account, application: string, name: string) {
  return objects((await graph.find(`/v1.0/applications/${application}`)) ?? null, name);
}

const roleFields: Fields = {
  role_id: "id",
  ...sameNames("", "value", "display_name", "description", "allowed_member_types"),
};

/** Replaces the app role that has the ID of the state by others. */
async function replaceRole(state: Attributes, others: readonly object[], account: Account) {
  const [, , application = ""] = text(state, "application_id").split("/");
  const roles = await listed(account, application, "appRoles");
  const appRoles = [...roles.filter(({ id }) => id !== state.role_id), ...others];
  await doing(`updating app roles of Application (Application: "${application}")`, () =>
    account.graph.call("PATCH", `/v1.0/applications/${application}`, { appRoles }),
  );
}

const roleOf = (planned: Attributes, isEnabled = true) => ({
  ...writeFields(roleFields, planned),
  isEnabled,
});

/** `azuread_application_app_role`: one role among those of an application. */
export const applicationAppRole: ResourceType = {
  forceNew: ["application_id", "role_id"],

  async create(planned, account) {
    const id = `${text(planned, "application_id")}/appRoles/${text(planned, "role_id")}`;
    if ((await this.read({ id }, account)) !== undefined) {
      throw alreadyExists("azuread_application_app_role", id);
    }
    await replaceRole(planned, [roleOf(planned)], account);
    return { id };
  },

  async read(state, account) {
    const [, , application = "", , roleId = ""] = text(state, "id").split("/");
    const roles = await listed(account, application, "appRoles");
    const found = roles.find(({ id }) => id === roleId);
    const application_id = `/applications/${application}`;
    return found && { ...readFields(roleFields, found), application_id };
  },

  async update(_, planned, account) {
    await replaceRole(planned, [roleOf(planned)], account);
    return {};
  },

  /** A role can be removed only once it is disabled. */
  async delete(state, account) {
    if ((await this.read(state, account)) === undefined) return;
    await replaceRole(state, [roleOf(state, false)], account);
    await replaceRole(state, [], account);
  },
};

const passwordFields: Fields = {
  key_id: computed("keyId"),
  display_name: "displayName",
  start_date: "startDateTime",
  end_date: "endDateTime",
};

/** `azuread_application_password`: a client secret. The directory returns its value only once. */
export const applicationPassword: ResourceType = {
  forceNew: [
    ...["application_id", "display_name", "start_date", "end_date", "end_date_relative"],
    "rotate_when_changed",
  ],

  async create(planned, { graph }) {
    const [, , application] = text(planned, "application_id").split("/");
    const passwordCredential = writeFields(passwordFields, planned);
    const { body } = await doing("adding password for Application", () =>
      graph.call("POST", `/v1.0/applications/${application}/addPassword`, { passwordCredential }),
    );
    return {
      ...readFields(passwordFields, body),
      id: `${application}/password/${text(body, "keyId")}`,
      value: text(body, "secretText"),
    };
  },

  async read(state, account) {
    const [application = "", , id = ""] = text(state, "id").split("/");
    const passwords = await listed(account, application, "passwordCredentials");
    const found = passwords.find(({ keyId }) => keyId === id);
    return found && readFields(passwordFields, found);
  },

  async delete(state, { graph }) {
    const [application, , keyId] = text(state, "id").split("/");
    await doing("removing password from Application", () =>
      graph.call("POST", `/v1.0/applications/${application}/removePassword`, { keyId }),
    );
  },
};

const assignmentFields: Fields = {
  app_role_id: "appRoleId",
  principal_object_id: "principalId",
  resource_object_id: "resourceId",
};

/** `azuread_app_role_assignment`: grants one principal an app role of another. */
export const appRoleAssignment: ResourceType = {
  forceNew: Object.keys(assignmentFields),

  async create(planned, { graph }) {
    const path = `/servicePrincipals/${text(planned, "resource_object_id")}/appRoleAssignedTo`;
    const { body } = await doing("Could not create app role assignment", () =>
      graph.call("POST", `/v1.0${path}`, writeFields(assignmentFields, planned)),
    );
    return { id: `${path}/${text(body, "id")}` };
  },

  async read(state, { graph }) {
    const found = await graph.find(`/v1.0${text(state, "id")}`);
    return found && readFields(assignmentFields, found);
  },

  delete: (state, { graph }) => graph.remove(`/v1.0${text(state, "id")}`),
};
