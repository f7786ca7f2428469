import { isObject, listAt, objectAt, textAt } from "../../base/index.js";
import type {
  Application,
  AppRoleAssignment,
  ServicePrincipal,
  Tenant,
} from "../../directory/index.js";
import { merge, without } from "../attributes.js";
import { badRequest, notFound, requiredText } from "../graph-errors.js";
import { find, newOwners, type ObjectSet } from "../object-set.js";
import { appRoleAnswer, passwordAnswers } from "./applications.js";
import { unwrittenPrincipal } from "./unwritten.js";

/** Service principals. */
export const servicePrincipals: ObjectSet<ServicePrincipal> = {
  path: "servicePrincipals",
  kind: "ServicePrincipal",
  list: ({ tenant }) => tenant.servicePrincipals.list(),
  matches: ({ objectId }, id) => objectId === id.toLowerCase(),
  answer: servicePrincipalAnswer,
  ownersOf: ({ owners }) => owners,
  create: (request) => {
    const { tenant, body, permissions } = request;
    const clientId = requiredText(body, "appId");
    permissions.requireChange(tenant.applications.byClientId(clientId)?.owners);
    const attributes = attributesAfter({}, body);
    const owners = newOwners(request);
    const principal = tenant.servicePrincipals.create({ clientId, owners, attributes });
    return servicePrincipalAnswer(principal, tenant);
  },
  change: (principal, body) => {
    principal.attributes = attributesAfter(principal.attributes, body);
  },
  remove: ({ objectId }, tenant) => void tenant.deleteServicePrincipal(objectId),
};

/** Fields that come from the application, or are Graph's own; others are stored unchanged. */
const derived = [
  "id",
  "appId",
  "appRoles",
  "displayName",
  "passwordCredentials",
  "servicePrincipalNames",
  "servicePrincipalType",
];

/** The attributes of a principal after the body of a POST or PATCH. */
function attributesAfter(before: ServicePrincipal["attributes"], body: unknown) {
  if (!isObject(body)) return before;
  // They name the resource of a managed identity.
  const isIdentity = before.servicePrincipalType === "ManagedIdentity";
  return merge(before, without(body, isIdentity ? [...derived, "alternativeNames"] : derived));
}

/** A service principal as Graph shows it, with every field that clients expect. */
export function servicePrincipalAnswer(principal: ServicePrincipal, tenant: Tenant) {
  const application = tenant.applicationOf(principal);
  const displayName = tenant.displayNameOf(principal);
  const { attributes } = principal;
  // Microsoft's own applications are registered in another tenant.
  const inherited = application ? inheritedFrom(application) : { tags: [] };
  const saml = objectAt(attributes, "samlSingleSignOnSettings");
  return {
    ...merge({ ...unwrittenPrincipal, ...inherited }, attributes),
    "@odata.type": "#microsoft.graph.servicePrincipal",
    id: principal.objectId,
    appId: principal.clientId,
    appDisplayName: displayName,
    displayName,
    appOwnerOrganizationId: application?.tenantId ?? MICROSOFT_TENANT_ID,
    createdDateTime: principal.createdDateTime ?? null,
    appRoles: tenant.appRolesOf(principal).map(appRoleAnswer),
    passwordCredentials: passwordAnswers(principal),
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
    info: { ...objectAt(unwrittenPrincipal, "info"), ...objectAt(attributes, "info") },
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

/** The ID of Graph's default access role, which no application defines. */
const DEFAULT_ACCESS = "00000000-0000-0000-0000-000000000000";

/** App role assignments, below the service principal on one side of them. */
export function appRoleAssignments(
  path: "appRoleAssignedTo" | "appRoleAssignments",
): ObjectSet<AppRoleAssignment> {
  const side = path === "appRoleAssignedTo" ? "resourceId" : "principalId";
  return {
    path: `servicePrincipals/:id/${path}`,
    key: "assignment",
    kind: "AppRoleAssignment",
    list: (request) => {
      const { objectId } = find(servicePrincipals, request);
      return request.tenant.appRoleAssignments.list().filter((each) => each[side] === objectId);
    },
    matches: (assignment, id) => assignment.id === id,
    answer: assignmentAnswer,
    requireChange: ({ permissions }) => permissions.requireAssign(),
    create: (request) => {
      const { tenant, body, permissions } = request;
      permissions.requireAssign();
      find(servicePrincipals, request);
      return assignmentAnswer(createAssignment(tenant, body), tenant);
    },
    remove: ({ id }, tenant) => void tenant.appRoleAssignments.delete(id),
  };
}

function createAssignment(tenant: Tenant, body: unknown): AppRoleAssignment {
  const text = (name: string) => requiredText(body, name).toLowerCase();
  const appRoleId = text("appRoleId");
  const resource = tenant.servicePrincipals.get(text("resourceId"));
  if (!resource) throw notFound(text("resourceId"));
  const principalId = text("principalId");
  if (!tenant.assignee(principalId)) throw notFound(principalId);
  const role = tenant.assignableRolesOf(resource).find((each) => each.id === appRoleId);
  if (appRoleId !== DEFAULT_ACCESS && !role?.isEnabled) {
    throw badRequest(
      `Permission being assigned was not found on application '${resource.clientId}'.`,
    );
  }
  const { objectId: resourceId } = resource;
  return tenant.appRoleAssignments.create({ appRoleId, principalId, resourceId });
}

function assignmentAnswer(assignment: AppRoleAssignment, tenant: Tenant) {
  const assignee = tenant.assignee(assignment.principalId);
  const resource = tenant.servicePrincipals.get(assignment.resourceId);
  return {
    ...assignment,
    deletedDateTime: null,
    principalDisplayName: assignee?.displayName ?? null,
    principalType: assignee?.type ?? "ServicePrincipal",
    resourceDisplayName: resource ? tenant.displayNameOf(resource) : null,
  };
}
