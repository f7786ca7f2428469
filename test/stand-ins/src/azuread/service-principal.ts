import type { Account } from "../cloud/account.js";
import { at, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { uuids } from "../provider/checks.js";
import { type ResourceType, text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import {
  alreadyExistsInEntra,
  appRoleIds,
  appRoles,
  list,
  nullable,
  objectIdOf,
  strings,
  untilGone,
  v1,
} from "./graph.js";

/**
 * `azuread_service_principal`. With `use_existing` it takes over an existing principal, as the real
 * provider does: creation overwrites its settings, and destroying the resource deletes the
 * principal. The caller first owns a new principal, and is then removed from its owners unless the
 * configuration lists the caller.
 */
export const servicePrincipal: ResourceType<Account> = {
  forceNew: ["client_id", "use_existing"],
  defaults: { account_enabled: true },
  check: (config) => uuids(config, "client_id"),

  async create(planned, account) {
    const clientId = text(planned, "client_id");
    const [existing] = await list(account, "servicePrincipals", `appId eq '${clientId}'`);
    const objectId =
      existing === undefined
        ? await createNew(clientId, planned, account)
        : await takeOver(existing, planned, account);
    return { ...(await read(objectId, account)), id: `/servicePrincipals/${objectId}` };
  },

  read: (state, account) => read(objectIdOf(text(state, "id")), account),

  async update(prior, planned, account) {
    const objectId = objectIdOf(text(prior, "id"));
    await patch(objectId, planned, account);
    await changeOwners(objectId, texts(prior, "owners"), texts(planned, "owners"), account);
    return (await read(objectId, account)) ?? {};
  },

  async delete(state, account) {
    const path = `/servicePrincipals/${objectIdOf(text(state, "id"))}`;
    await doing(`deleting service principal ${text(state, "client_id")}`, () =>
      account.graph.call("DELETE", v1(path)),
    );
    await untilGone(account, path);
  },
};

/** A service principal as both the resource and the data source show it. */
export function servicePrincipalAttributes(found: Json): Attributes {
  return {
    object_id: stringAt(found, "id"),
    client_id: stringAt(found, "appId"),
    display_name: stringAt(found, "displayName"),
    account_enabled: at(found, "accountEnabled") !== false,
    alternative_names: strings(listAt(found, "alternativeNames")),
    app_role_assignment_required: at(found, "appRoleAssignmentRequired") === true,
    app_roles: appRoles(found),
    app_role_ids: appRoleIds(found),
    application_tenant_id: stringAt(found, "appOwnerOrganizationId"),
    description: stringAt(found, "description"),
    homepage_url: stringAt(found, "homepage"),
    login_url: stringAt(found, "loginUrl"),
    logout_url: stringAt(found, "logoutUrl"),
    notes: stringAt(found, "notes"),
    notification_email_addresses: strings(listAt(found, "notificationEmailAddresses")),
    oauth2_permission_scope_ids: {},
    oauth2_permission_scopes: [],
    preferred_single_sign_on_mode: stringAt(found, "preferredSingleSignOnMode"),
    redirect_uris: strings(listAt(found, "replyUrls")),
    saml_metadata_url: stringAt(found, "samlMetadataUrl"),
    service_principal_names: strings(listAt(found, "servicePrincipalNames")),
    sign_in_audience: stringAt(found, "signInAudience"),
    tags: strings(listAt(found, "tags")),
    type: stringAt(found, "servicePrincipalType"),
  };
}

async function createNew(clientId: string, planned: Attributes, account: Account): Promise<string> {
  const created = await doing("Could not create service principal", () =>
    account.graph.call("POST", v1("/servicePrincipals"), {
      appId: clientId,
      "owners@odata.bind": [reference(account.objectId, account)],
      ...body(planned),
    }),
  );
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

async function takeOver(existing: Json, planned: Attributes, account: Account): Promise<string> {
  const objectId = stringAt(existing, "id");
  if (planned.use_existing !== true) {
    throw alreadyExistsInEntra("azuread_service_principal", objectId);
  }
  await patch(objectId, planned, account);
  return objectId;
}

async function patch(objectId: string, planned: Attributes, account: Account): Promise<void> {
  await doing(`Updating service principal with object ID "${objectId}"`, () =>
    account.graph.call("PATCH", v1(`/servicePrincipals/${objectId}`), body(planned)),
  );
}

function body(planned: Attributes) {
  return {
    accountEnabled: planned.account_enabled !== false,
    alternativeNames: texts(planned, "alternative_names"),
    appRoleAssignmentRequired: planned.app_role_assignment_required === true,
    description: nullable(planned.description),
    loginUrl: nullable(planned.login_url),
    notes: nullable(planned.notes),
    notificationEmailAddresses: texts(planned, "notification_email_addresses"),
    preferredSingleSignOnMode: nullable(planned.preferred_single_sign_on_mode),
    tags: texts(planned, "tags"),
  };
}

async function read(objectId: string, account: Account): Promise<Attributes | undefined> {
  const path = `/servicePrincipals/${objectId}`;
  const found = await account.graph.find(v1(path));
  if (found === undefined) return undefined;
  const owners = listAt(await account.graph.get(v1(`${path}/owners`)), "value");
  return {
    ...servicePrincipalAttributes(found),
    owners: owners.map((owner) => stringAt(owner, "id")),
  };
}
