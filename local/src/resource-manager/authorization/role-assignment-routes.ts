import type { Router } from "../../api/index.js";
import { isWithin, normalizeScope, ServiceError, textAt } from "../../base/index.js";
import type { AuthorizationState } from "./authorization.js";
import type { RoleAssignment } from "./role-assignments.js";
import { roleDefinitionIdAt } from "./role-definition-routes.js";
import { roleDefinitionById } from "./role-definitions.js";

const ROOT = "*scope/providers/Microsoft.Authorization/roleAssignments";
const ACTION = "Microsoft.Authorization/roleAssignments";

/** Role assignments at any scope. */
export function addRoleAssignmentRoutes(router: Router, state: AuthorizationState): void {
  const { authorization, roleAssignments } = state;

  router.on("GET", `/${ROOT}/:name`, ({ caller }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    authorization.require(caller, `${ACTION}/read`, scope);
    const assignment = roleAssignments.get(scope, parameter("name"));
    if (assignment) return { status: 200, body: answerOf(assignment) };
    throw new ServiceError(
      404,
      "RoleAssignmentNotFound",
      `The role assignment '${parameter("name")}' is not found.`,
    );
  });

  router.on("GET", `/${ROOT}`, ({ caller, query }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    authorization.require(caller, `${ACTION}/read`, scope);
    const matches = filterOf(query.get("$filter") ?? "", scope);
    const value = roleAssignments
      .list()
      .filter((each) => isWithin(scope, each.scope) || isWithin(each.scope, scope))
      .filter(matches)
      .map(answerOf);
    return { status: 200, body: { value } };
  });

  router.on("PUT", `/${ROOT}/:name`, ({ caller, body }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    const name = parameter("name");
    authorization.require(caller, `${ACTION}/write`, scope);
    const roleId = roleIdIn(textAt(body, "properties", "roleDefinitionId") ?? "");
    const principalId = principalIdIn(body);
    const requestedType = textAt(body, "properties", "principalType");
    const principalType = principalTypeOf(state, principalId, requestedType);
    const assignment = roleAssignments.put({
      name,
      scope,
      roleId,
      principalId,
      principalType,
      description: textAt(body, "properties", "description") ?? null,
      condition: textAt(body, "properties", "condition") ?? null,
      conditionVersion: textAt(body, "properties", "conditionVersion") ?? null,
    });
    return { status: 201, body: answerOf(assignment) };
  });

  router.on("DELETE", `/${ROOT}/:name`, ({ caller }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    authorization.require(caller, `${ACTION}/delete`, scope);
    const deleted = roleAssignments.delete(scope, parameter("name"));
    return deleted ? { status: 200, body: answerOf(deleted) } : { status: 204 };
  });
}

/** @throws ServiceError 400 for an unsupported filter, so that no client gets too much */
function filterOf(filter: string, scope: string): (assignment: RoleAssignment) => boolean {
  if (filter.trim() === "") return () => true;
  // Assignments at the scope and above it, without those below.
  if (/^atScope\(\)$/i.test(filter.trim())) return (each) => isWithin(scope, each.scope);
  const principalId = /^\s*(?:atScope\(\) and )?(?:principalId eq |assignedTo\()'([^']+)'\)?\s*$/i
    .exec(filter)?.[1]
    ?.toLowerCase();
  if (principalId !== undefined) return (each) => each.principalId.toLowerCase() === principalId;
  throw new ServiceError(
    400,
    "UnsupportedFilter",
    `The filter '${filter}' is not supported. Supported filters are principalId eq '{id}', assignedTo('{id}') and atScope().`,
  );
}

function roleIdIn(roleDefinitionId: string): string {
  const definition = roleDefinitionById(roleDefinitionId);
  if (definition) return definition.id;
  throw new ServiceError(
    400,
    "RoleDefinitionDoesNotExist",
    `The specified role definition with ID '${roleDefinitionId}' does not exist.`,
  );
}

function principalIdIn(body: unknown): string {
  const principalId = textAt(body, "properties", "principalId") ?? "";
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(principalId)) return principalId;
  throw new ServiceError(
    400,
    "InvalidPrincipalId",
    "A valid principal ID must be provided for role assignment.",
  );
}

/** A caller that names the type may assign a role to a principal that the directory lacks. */
function principalTypeOf(
  { directory, tenantId }: AuthorizationState,
  principalId: string,
  requested: string | undefined,
): string {
  const type = directory.tenant(tenantId)?.assignee(principalId)?.type ?? requested;
  if (type !== undefined && type.toLowerCase() !== (requested ?? type).toLowerCase()) {
    throw new ServiceError(
      400,
      "UnmatchedPrincipalType",
      `The PrincipalId '${principalId.replaceAll("-", "")}' has type '${type}', which is different from specified PrincipalType '${requested}'.`,
    );
  }
  if (type !== undefined) return type;
  throw new ServiceError(
    400,
    "PrincipalNotFound",
    `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.`,
  );
}

function answerOf(assignment: RoleAssignment) {
  const { name, scope, roleId, principalId, principalType, createdOn, updatedOn } = assignment;
  const prefix = scope === "/" ? "" : scope;
  return {
    id: `${prefix}/providers/${ACTION}/${name}`,
    type: ACTION,
    name,
    properties: {
      roleDefinitionId: roleDefinitionIdAt(scope, roleId),
      principalId,
      principalType,
      scope,
      description: assignment.description,
      condition: assignment.condition,
      conditionVersion: assignment.conditionVersion,
      createdOn,
      updatedOn,
    },
  };
}
