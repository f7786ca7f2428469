import type { Account } from "../cloud/account.js";
import { at, type Json, type JsonObject, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { oneOf } from "../provider/checks.js";
import { blocks, onlyBlock, type ResourceType, text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { deleteApplication, SIGN_IN_AUDIENCES } from "./application-registration.js";
import { appRoleIds, appRoles, nullable, objectIdOf, strings, v1 } from "./graph.js";

/**
 * `azuread_application`: the application together with its roles. Its list of roles is complete: an
 * apply removes roles that `azuread_application_app_role` added. Settings that a webhook does not
 * need (optional claims, redirects, permissions) are kept in the state only.
 */
export const application: ResourceType<Account> = {
  forceNew: ["template_id"],
  defaults: { sign_in_audience: "AzureADMyOrg", app_role: { enabled: true } },
  check: (config) => oneOf(config, "sign_in_audience", SIGN_IN_AUDIENCES),

  async create(planned, account) {
    const created = await doing("Could not create application", () =>
      account.graph.call("POST", v1("/applications"), {
        ...body(planned),
        appRoles: rolesOf(planned),
      }),
    );
    const objectId = stringAt(created.body, "id");
    return { ...(await read(objectId, account)), id: `/applications/${objectId}` };
  },

  read: (state, account) => read(objectIdOf(text(state, "id")), account),

  async update(prior, planned, account) {
    const objectId = objectIdOf(text(prior, "id"));
    const change = (patch: Json) =>
      doing(`Could not update application with object ID "${objectId}"`, () =>
        account.graph.call("PATCH", v1(`/applications/${objectId}`), patch),
      );
    const wanted = rolesOf(planned);
    const ids = wanted.map(({ id }) => id);
    const found = listAt(await account.graph.get(v1(`/applications/${objectId}`)), "appRoles");
    const unwanted = found.filter((role) => !ids.includes(stringAt(role, "id")));
    // A role can be removed only once it is disabled.
    if (unwanted.length > 0) await change({ appRoles: found.map(disabledIn(unwanted)) });
    await change({ ...body(planned), appRoles: wanted });
    return (await read(objectId, account)) ?? {};
  },

  delete: (state, account) => deleteApplication(objectIdOf(text(state, "id")), account),
};

function body(planned: Attributes): JsonObject {
  const version = onlyBlock(planned, "api")?.requested_access_token_version;
  return {
    displayName: text(planned, "display_name"),
    description: nullable(planned.description),
    notes: nullable(planned.notes),
    signInAudience: text(planned, "sign_in_audience"),
    identifierUris: texts(planned, "identifier_uris"),
    tags: texts(planned, "tags"),
    api: { requestedAccessTokenVersion: version === 2 ? 2 : 1 },
  };
}

function rolesOf(planned: Attributes): JsonObject[] {
  return blocks(planned, "app_role").map((role) => ({
    id: text(role, "id"),
    value: text(role, "value"),
    displayName: text(role, "display_name"),
    description: text(role, "description"),
    allowedMemberTypes: texts(role, "allowed_member_types"),
    isEnabled: role.enabled !== false,
  }));
}

function disabledIn(unwanted: readonly Json[]): (role: Json) => Json {
  return (role) => (unwanted.includes(role) ? { ...(role as JsonObject), isEnabled: false } : role);
}

async function read(objectId: string, account: Account): Promise<Attributes | undefined> {
  const found = await account.graph.find(v1(`/applications/${objectId}`));
  if (found === undefined) return undefined;
  return {
    object_id: stringAt(found, "id"),
    client_id: stringAt(found, "appId"),
    display_name: stringAt(found, "displayName"),
    description: stringAt(found, "description"),
    notes: stringAt(found, "notes"),
    sign_in_audience: stringAt(found, "signInAudience"),
    publisher_domain: stringAt(found, "publisherDomain"),
    disabled_by_microsoft: stringAt(found, "disabledByMicrosoftStatus"),
    identifier_uris: strings(listAt(found, "identifierUris")),
    tags: strings(listAt(found, "tags")),
    app_role: appRoles(found).map((role) => ({ ...role })),
    app_role_ids: appRoleIds(found),
    oauth2_permission_scope_ids: {},
    logo_url: stringAt(at(found, "info"), "logoUrl"),
  };
}
