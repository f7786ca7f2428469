import type { Account } from "../cloud/account.js";
import { at, type Json, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { oneOf } from "../provider/checks.js";
import { type ResourceType, text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { nullable, objectIdOf, untilGone, v1 } from "./graph.js";

/** Whose accounts may sign in. */
export const SIGN_IN_AUDIENCES = [
  "AzureADMyOrg",
  "AzureADMultipleOrgs",
  "AzureADandPersonalMicrosoftAccount",
  "PersonalMicrosoftAccount",
];

/**
 * `azuread_application_registration`: the application without its roles, which are separate
 * resources.
 */
export const applicationRegistration: ResourceType<Account> = {
  forceNew: [],
  defaults: { sign_in_audience: "AzureADMyOrg", requested_access_token_version: 2 },
  check: (config) => oneOf(config, "sign_in_audience", SIGN_IN_AUDIENCES),

  async create(planned, account) {
    const created = await doing("creating Application", () =>
      account.graph.call("POST", v1("/applications"), body(planned)),
    );
    const objectId = stringAt(created.body, "id");
    return { ...(await read(objectId, account)), id: `/applications/${objectId}` };
  },

  read: (state, account) => read(objectIdOf(text(state, "id")), account),

  async update(prior, planned, account) {
    const objectId = objectIdOf(text(prior, "id"));
    await doing(`updating Application "${text(planned, "display_name")}"`, () =>
      account.graph.call("PATCH", v1(`/applications/${objectId}`), body(planned)),
    );
    return (await read(objectId, account)) ?? {};
  },

  delete: (state, account) => deleteApplication(objectIdOf(text(state, "id")), account),
};

/** Deletes an application and waits until it is gone. */
export async function deleteApplication(objectId: string, account: Account): Promise<void> {
  const path = `/applications/${objectId}`;
  await doing(`deleting Application (Application: "${objectId}")`, () =>
    account.graph.call("DELETE", v1(path)),
  );
  await untilGone(account, path);
}

function body(planned: Attributes): Json {
  const url = (name: string) => nullable(planned[name]);
  const claims = texts(planned, "group_membership_claims");
  return {
    displayName: text(planned, "display_name"),
    description: nullable(planned.description),
    notes: nullable(planned.notes),
    serviceManagementReference: nullable(planned.service_management_reference),
    signInAudience: text(planned, "sign_in_audience"),
    groupMembershipClaims: claims.length > 0 ? claims.join(",") : null,
    api: { requestedAccessTokenVersion: Number(planned.requested_access_token_version) },
    info: {
      marketingUrl: url("marketing_url"),
      privacyStatementUrl: url("privacy_statement_url"),
      supportUrl: url("support_url"),
      termsOfServiceUrl: url("terms_of_service_url"),
    },
    web: { homePageUrl: url("homepage_url"), logoutUrl: url("logout_url") },
  };
}

async function read(objectId: string, account: Account): Promise<Attributes | undefined> {
  const found = await account.graph.find(v1(`/applications/${objectId}`));
  if (found === undefined) return undefined;
  const version = at(found, "api", "requestedAccessTokenVersion");
  const claims = stringAt(found, "groupMembershipClaims");
  return {
    object_id: stringAt(found, "id"),
    client_id: stringAt(found, "appId"),
    display_name: stringAt(found, "displayName"),
    description: stringAt(found, "description"),
    notes: stringAt(found, "notes"),
    service_management_reference: stringAt(found, "serviceManagementReference"),
    sign_in_audience: stringAt(found, "signInAudience"),
    group_membership_claims: claims === "" ? [] : claims.split(","),
    publisher_domain: stringAt(found, "publisherDomain"),
    disabled_by_microsoft: stringAt(found, "disabledByMicrosoftStatus"),
    requested_access_token_version: typeof version === "number" ? version : 0,
    marketing_url: stringAt(found, "info", "marketingUrl"),
    privacy_statement_url: stringAt(found, "info", "privacyStatementUrl"),
    support_url: stringAt(found, "info", "supportUrl"),
    terms_of_service_url: stringAt(found, "info", "termsOfServiceUrl"),
    homepage_url: stringAt(found, "web", "homePageUrl"),
    logout_url: stringAt(found, "web", "logoutUrl"),
  };
}
