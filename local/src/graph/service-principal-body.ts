import { isObject, listAt, objectAt, textAt } from "../control-plane/json-fields.js";
import type { Application, ServicePrincipal, Tenant } from "../directory/index.js";
import { appRoleAnswer } from "./app-roles.js";
import { merge, without } from "./attributes.js";

/** What follows from the application; everything else of a principal is stored as it came. */
const own = ["id", "appId", "appRoles", "displayName", "servicePrincipalNames"];

/** The attributes of a principal after a POST's or PATCH's body. */
export function attributesAfter(before: ServicePrincipal["attributes"], body: unknown) {
  return isObject(body) ? merge(before, without(body, own)) : before;
}

/** A service principal as Graph shows it: every field that its clients count on is there. */
export function servicePrincipalAnswer(tenant: Tenant, principal: ServicePrincipal) {
  const application = tenant.applicationOf(principal);
  const displayName = tenant.displayNameOf(principal);
  const { attributes } = principal;
  const followed = application ? followedOf(application) : unset;
  const saml = objectAt(attributes, "samlSingleSignOnSettings");
  return {
    ...merge({ ...unset, ...followed }, attributes),
    "@odata.type": "#microsoft.graph.servicePrincipal",
    id: principal.objectId,
    appId: principal.clientId,
    appDisplayName: displayName,
    displayName,
    appOwnerOrganizationId: application?.tenantId ?? MICROSOFT_TENANT_ID,
    appRoles: tenant.appRolesOf(principal).map(appRoleAnswer),
    servicePrincipalNames: tenant.namesOf(principal),
    tags: [...new Set([...followed.tags, ...listAt(attributes, "tags")])],
    // A provider sends the object empty, and takes an empty one for a setting.
    samlSingleSignOnSettings: Object.values(saml).some((each) => each !== null) ? saml : null,
  };
}

/** What a principal has from its application, as far as it is not told otherwise itself. */
function followedOf({ attributes }: Application) {
  const redirects = ["web", "spa", "publicClient"].flatMap((platform) =>
    listAt(attributes, platform, "redirectUris"),
  );
  return {
    homepage: textAt(attributes, "web", "homePageUrl") ?? null,
    logoutUrl: textAt(attributes, "web", "logoutUrl") ?? null,
    replyUrls: redirects,
    oauth2PermissionScopes: listAt(attributes, "api", "oauth2PermissionScopes"),
    signInAudience: textAt(attributes, "signInAudience") ?? "AzureADMyOrg",
    tags: listAt(attributes, "tags"),
  };
}

/** The tenant that Microsoft's own applications are registered in. */
const MICROSOFT_TENANT_ID = "f8cdef31-a31e-4b4a-93e4-5f571e91255a";

const unset = {
  deletedDateTime: null,
  accountEnabled: true,
  addIns: [],
  alternativeNames: [],
  appDescription: null,
  applicationTemplateId: null,
  appRoleAssignmentRequired: false,
  description: null,
  disabledByMicrosoftStatus: null,
  homepage: null,
  info: null,
  keyCredentials: [],
  loginUrl: null,
  logoutUrl: null,
  notes: null,
  notificationEmailAddresses: [],
  oauth2PermissionScopes: [],
  passwordCredentials: [],
  preferredSingleSignOnMode: null,
  preferredTokenSigningKeyThumbprint: null,
  replyUrls: [],
  resourceSpecificApplicationPermissions: [],
  samlMetadataUrl: null,
  samlSingleSignOnSettings: null,
  servicePrincipalType: "Application",
  // Of the vendor's own applications; others tell it.
  signInAudience: "AzureADMultipleOrgs",
  tags: [],
  tokenEncryptionKeyId: null,
};
