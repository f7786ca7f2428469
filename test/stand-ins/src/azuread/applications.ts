import type { DirectoryObject } from "../tables/directory-object.js";
import { type Fields, sameNames } from "../tables/fields.js";
import { appRoleAttributes } from "./graph.js";

const common: Fields = {
  object_id: "id",
  client_id: "appId",
  disabled_by_microsoft: "disabledByMicrosoftStatus",
  ...sameNames("description", "display_name", "notes", "publisher_domain", "sign_in_audience"),
};

/**
 * `azuread_application_registration`: the application without its roles, which are separate
 * resources.
 */
export const applicationRegistration: DirectoryObject = {
  collection: "applications",
  named: "Application",
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

/** The data source `azuread_application`: the application together with its roles. */
export const application: Pick<DirectoryObject, "collection" | "fields"> = {
  collection: "applications",
  fields: {
    ...common,
    ...sameNames("identifier_uris", "tags"),
    ...appRoleAttributes,
    api: { path: "api", fields: sameNames("requested_access_token_version") },
    logo_url: "info.logoUrl",
  },
};
