import { isObject, type JsonObject, listAt, stringAt } from "../cloud/json-client.js";
import { oneOf } from "../provider/checks.js";
import type { DirectoryObject } from "../tables/directory-object.js";
import { type Fields, sameNames } from "../tables/fields.js";
import { appRoleAttributes, appRoleFields, v1 } from "./graph.js";

const common: Fields = {
  object_id: "id",
  client_id: "appId",
  disabled_by_microsoft: "disabledByMicrosoftStatus",
  ...sameNames("description", "display_name", "notes", "publisher_domain", "sign_in_audience"),
};

const ofBoth: Pick<DirectoryObject, "collection" | "named" | "check"> = {
  collection: "applications",
  named: "Application",
  check: (config) =>
    oneOf(config, "sign_in_audience", [
      "AzureADMyOrg",
      "AzureADMultipleOrgs",
      "AzureADandPersonalMicrosoftAccount",
      "PersonalMicrosoftAccount",
    ]),
};

/**
 * `azuread_application_registration`: the application without its roles, which are separate
 * resources.
 */
export const applicationRegistration: DirectoryObject = {
  ...ofBoth,
  forceNew: [],
  defaults: { sign_in_audience: "AzureADMyOrg", requested_access_token_version: 2 },
  fields: {
    ...common,
    ...sameNames("service_management_reference"),
    group_membership_claims: {
      path: "groupMembershipClaims",
      read: (claims) => (typeof claims === "string" && claims !== "" ? claims.split(",") : []),
      write: (claims) => (Array.isArray(claims) && claims.length > 0 ? claims.join(",") : null),
    },
    requested_access_token_version: "api.requestedAccessTokenVersion",
    marketing_url: "info.marketingUrl",
    privacy_statement_url: "info.privacyStatementUrl",
    support_url: "info.supportUrl",
    terms_of_service_url: "info.termsOfServiceUrl",
    homepage_url: "web.homePageUrl",
    logout_url: "web.logoutUrl",
  },
};

/**
 * `azuread_application`: the application together with its roles. Its list of roles is complete: an
 * apply removes roles that `azuread_application_app_role` added. Settings that a webhook does not
 * need (optional claims, redirects, permissions) are kept in the state only.
 */
export const application: DirectoryObject = {
  ...ofBoth,
  forceNew: ["template_id"],
  defaults: { sign_in_audience: "AzureADMyOrg", app_role: { enabled: true } },
  fields: {
    ...common,
    ...sameNames("identifier_uris", "tags"),
    ...appRoleAttributes,
    api: {
      path: "api",
      only: "write",
      fields: sameNames("requested_access_token_version"),
    },
    app_role: { path: "appRoles", fields: appRoleFields },
    logo_url: "info.logoUrl",
  },
  // A role can be removed only once it is disabled.
  async beforeUpdate(objectId, body, { graph }) {
    const path = v1(`/applications/${objectId}`);
    const wanted = listAt(body, "appRoles").map((role) => stringAt(role, "id"));
    const isWanted = (role: JsonObject) => wanted.includes(stringAt(role, "id"));
    const roles = listAt(await graph.get(path), "appRoles").filter(isObject);
    if (roles.every(isWanted)) return;
    const appRoles = roles.map((role) => (isWanted(role) ? role : { ...role, isEnabled: false }));
    await graph.call("PATCH", path, { appRoles });
  },
};
