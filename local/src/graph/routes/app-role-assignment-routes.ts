import type { Router } from "../../api/index.js";
import { textAt } from "../../base/index.js";
import type { AppRoleAssignment, Tenant } from "../../directory/index.js";
import { findServicePrincipal } from "../bodies/index.js";
import { badRequest, notFound } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";

/** The ID of Graph's default access role, which no application defines. */
const DEFAULT_ACCESS = "00000000-0000-0000-0000-000000000000";

/** App role assignments, listed by resource and by principal. */
export function addAppRoleAssignmentRoutes(router: Router, permissions: Permissions): void {
  const onResource = "/:version/servicePrincipals/:id/appRoleAssignedTo";
  const ofPrincipal = "/:version/servicePrincipals/:id/appRoleAssignments";
  for (const path of [onResource, ofPrincipal]) {
    const side = path === onResource ? "resourceId" : "principalId";
    const find = (tenant: Tenant, servicePrincipal: string, id: string) => {
      const { objectId } = findServicePrincipal(tenant, servicePrincipal);
      const assignment = tenant.appRoleAssignments.get(id);
      if (assignment?.[side] === objectId) return assignment;
      throw notFound(id);
    };
    router.on("POST", path, ({ caller, body }, parameter) => {
      const tenant = permissions.toAssign(caller);
      findServicePrincipal(tenant, parameter("id"));
      return { status: 201, body: answerOf(tenant, create(tenant, body)) };
    });
    router.on("GET", path, ({ caller }, parameter) => {
      const tenant = permissions.toRead(caller);
      const { objectId } = findServicePrincipal(tenant, parameter("id"));
      return { status: 200, body: { value: assignmentsAnswer(tenant, side, objectId) } };
    });
    router.on("GET", `${path}/:assignment`, ({ caller }, parameter) => {
      const tenant = permissions.toRead(caller);
      const assignment = find(tenant, parameter("id"), parameter("assignment"));
      return { status: 200, body: answerOf(tenant, assignment) };
    });
    router.on("DELETE", `${path}/:assignment`, ({ caller }, parameter) => {
      const tenant = permissions.toAssign(caller);
      tenant.appRoleAssignments.delete(find(tenant, parameter("id"), parameter("assignment")).id);
      return { status: 204 };
    });
  }
}

/** The assignments of a principal, or those on a resource, as Graph shows them. */
export function assignmentsAnswer(
  tenant: Tenant,
  side: "principalId" | "resourceId",
  objectId: string,
): object[] {
  return tenant.appRoleAssignments
    .list()
    .filter((each) => each[side] === objectId)
    .map((each) => answerOf(tenant, each));
}

function create(tenant: Tenant, body: unknown): AppRoleAssignment {
  const text = (name: string) => {
    const value = textAt(body, name);
    if (value !== undefined) return value.toLowerCase();
    throw badRequest(`A value is required for property '${name}'.`);
  };
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
  return tenant.appRoleAssignments.create({
    appRoleId,
    principalId,
    resourceId: resource.objectId,
  });
}

function answerOf(tenant: Tenant, assignment: AppRoleAssignment) {
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
