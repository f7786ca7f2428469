import { isObject, listAt, objectAt, textAt } from "../base/index.js";
import type {
  Application,
  AppRoleAssignment,
  ServicePrincipal,
  Tenant,
} from "../directory/index.js";
import { appRoleAnswer } from "./applications.js";
import { merge, without } from "./attributes.js";
import { badRequest, notFound, requiredText } from "./graph-errors.js";
import type { ObjectSet } from "./object-set.js";
import { ownersAnswer, ownersIn } from "./owners.js";
import type { Permissions } from "./permissions.js";
import unwritten from "./unwritten.json";

/** Service principals. */
export function servicePrincipals(permissions: Permissions): ObjectSet<ServicePrincipal> {
  return {
    path: "servicePrincipals",
    list: (tenant) => tenant.servicePrincipals.list(),
    matches: ({ objectId }, id) => objectId === id.toLowerCase(),
    answer: servicePrincipalAnswer,
    relationshipsIn: (tenant) => ({
      owners: (objectId) => ownersAnswer(tenant, findServicePrincipal(tenant, objectId)),
      appRoleAssignedTo: (objectId) => assignmentsAnswer(tenant, "resourceId", objectId),
      appRoleAssignments: (objectId) => assignmentsAnswer(tenant, "principalId", objectId),
    }),
    toChange: (caller, { owners }) => permissions.toChange(caller, owners),
    create: ({ caller, body }) => {
      permissions.toCreate(caller);
      const clientId = requiredText(body, "appId");
      const application = permissions.toRead(caller).applications.byClientId(clientId);
      const tenant = permissions.toChange(caller, application?.owners ?? new Set());
      const owners = ownersIn(body);
      if (permissions.ownsOnly(caller)) owners.push(caller.objectId);
      const attributes = attributesAfter({}, body);
      const principal = tenant.servicePrincipals.create({ clientId, owners, attributes });
      return servicePrincipalAnswer(tenant, principal);
    },
    change: (_, principal, body) => {
      principal.attributes = attributesAfter(principal.attributes, body);
    },
    remove: (tenant, { objectId }) => void tenant.deleteServicePrincipal(objectId),
  };
}

/** @throws ServiceError 404 if there is no such principal */
export function findServicePrincipal(tenant: Tenant, objectId: string): ServicePrincipal {
  const principal = tenant.servicePrincipals.get(objectId);
  if (principal) return principal;
  throw notFound(objectId);
}

/** Fields that come from the application, or are Graph's own; others are stored unchanged. */
const derived = [
  "id",
  "appId",
  "appRoles",
  "displayName",
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

/** The principal that has a role, or the one that the role is on. */
type Side = "principalId" | "resourceId";

/** The ID of Graph's default access role, which no application defines. */
const DEFAULT_ACCESS = "00000000-0000-0000-0000-000000000000";

/** App role assignments, below the service principal on one side of them. */
export function appRoleAssignments(
  permissions: Permissions,
  path: "appRoleAssignedTo" | "appRoleAssignments",
): ObjectSet<AppRoleAssignment> {
  const side = path === "appRoleAssignedTo" ? "resourceId" : "principalId";
  return {
    path: `servicePrincipals/:id/${path}`,
    key: "assignment",
    list: (tenant, parameter) =>
      assignmentsOf(tenant, side, findServicePrincipal(tenant, parameter("id")).objectId),
    matches: (assignment, id) => assignment.id === id,
    answer: assignmentAnswer,
    toChange: (caller) => permissions.toAssign(caller),
    create: ({ caller, body }, parameter) => {
      const tenant = permissions.toAssign(caller);
      findServicePrincipal(tenant, parameter("id"));
      return assignmentAnswer(tenant, createAssignment(tenant, body));
    },
    remove: (tenant, { id }) => void tenant.appRoleAssignments.delete(id),
  };
}

function assignmentsOf(tenant: Tenant, side: Side, objectId: string): AppRoleAssignment[] {
  return tenant.appRoleAssignments.list().filter((each) => each[side] === objectId);
}

function assignmentsAnswer(tenant: Tenant, side: Side, objectId: string): object[] {
  return assignmentsOf(tenant, side, objectId).map((each) => assignmentAnswer(tenant, each));
}

function createAssignment(tenant: Tenant, body: unknown): AppRoleAssignment {
  const text = (name: string) => requiredText(body, name).toLowerCase();
  const appRoleId = text("appRoleId");
  const resource = findServicePrincipal(tenant, text("resourceId"));
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

function assignmentAnswer(tenant: Tenant, assignment: AppRoleAssignment) {
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
