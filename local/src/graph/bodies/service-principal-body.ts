import { isObject, listAt, objectAt, textAt } from "../../base/index.js";
import type { Application, ServicePrincipal, Tenant } from "../../directory/index.js";
import { notFound } from "../graph-errors.js";
import { appRoleAnswer } from "./app-roles.js";
import { merge, without } from "./attributes.js";
import unwritten from "./unwritten.json";

/** Fields that come from the application; others are stored unchanged. */
const derived = ["id", "appId", "appRoles", "displayName", "servicePrincipalNames"];

/** @throws ServiceError 404 if there is no such principal */
export function findServicePrincipal(tenant: Tenant, objectId: string): ServicePrincipal {
  const principal = tenant.servicePrincipals.get(objectId);
  if (principal) return principal;
  throw notFound(objectId);
}

/** The attributes of a principal after the body of a POST or PATCH. */
export function attributesAfter(before: ServicePrincipal["attributes"], body: unknown) {
  return isObject(body) ? merge(before, without(body, derived)) : before;
}

/** A service principal as Graph shows it, with every field that clients expect. */
export function servicePrincipalAnswer(tenant: Tenant, principal: ServicePrincipal) {
  const application = tenant.applicationOf(principal);
  const displayName = tenant.displayNameOf(principal);
  const { attributes } = principal;
  // Microsoft's own applications are registered in another tenant.
  const inherited = application ? inheritedFrom(application) : unwritten.servicePrincipal;
  const saml = objectAt(attributes, "samlSingleSignOnSettings");
  return {
    ...merge({ ...unwritten.servicePrincipal, ...inherited }, attributes),
    "@odata.type": "#microsoft.graph.servicePrincipal",
    id: principal.objectId,
    appId: principal.clientId,
    appDisplayName: displayName,
    displayName,
    appOwnerOrganizationId: application?.tenantId ?? MICROSOFT_TENANT_ID,
    createdDateTime: principal.createdDateTime ?? null,
    appRoles: tenant.appRolesOf(principal).map(appRoleAnswer),
    servicePrincipalNames: tenant.namesOf(principal),
    tags: [...new Set([...inherited.tags, ...listAt(attributes, "tags")])],
    // The azuread provider sends an empty object, and would read one as a setting.
    samlSingleSignOnSettings: Object.values(saml).some((each) => each !== null) ? saml : null,
  };
}

/** Fields that a principal inherits from its application unless it has its own. */
function inheritedFrom({ attributes }: Application) {
  const redirects = ["web", "spa", "publicClient"].flatMap((platform) =>
    listAt(attributes, platform, "redirectUris"),
  );
  return {
    info: { ...unwritten.servicePrincipal.info, ...objectAt(attributes, "info") },
    homepage: textAt(attributes, "web", "homePageUrl") ?? null,
    logoutUrl: textAt(attributes, "web", "logoutUrl") ?? null,
    replyUrls: redirects,
    oauth2PermissionScopes: listAt(attributes, "api", "oauth2PermissionScopes"),
    signInAudience: textAt(attributes, "signInAudience") ?? "AzureADMyOrg",
    tags: listAt(attributes, "tags"),
  };
}

/** The tenant of Microsoft's own applications. */
const MICROSOFT_TENANT_ID = "f8cdef31-a31e-4b4a-93e4-5f571e91255a";
