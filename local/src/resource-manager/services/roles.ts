import {
  attachedTo,
  groupsOf,
  isWithin,
  nameIn,
  normalizeScope,
  parameterIn,
  propertiesIn,
  ServiceError,
  sameText,
  serviceError,
  textAt,
  textOrEmpty,
  UUID,
} from "../../base/index.js";
import {
  type FieldRules,
  ifKept,
  type Resource,
  type ResourceState,
  type ResourceType,
  requireScope,
  resourceAt,
  shownPlainly,
} from "../engine/index.js";
import {
  type RoleAssignment,
  type RoleDefinition,
  roleDefinitionIdAt,
  type SubscriptionState,
} from "../resources/index.js";

const TYPE = "Microsoft.Authorization/roleAssignments";

/** Role assignments at any scope. */
export function roleAssignmentResources(state: ResourceState): ResourceType {
  const { roleAssignments, directory, tenantId } = state;
  const withGroups = (id: string) => directory.tenant(tenantId)?.withGroups(id) ?? [id];
  return {
    type: TYPE,
    scope: "any",
    methods: ["GET", "PUT", "DELETE"],
    read: { get: (id) => ifKept(roleAssignments.withId(id), resourceOf) },
    filter: "list",
    list: (id, { query }) => {
      const scope = normalizeScope(id);
      const matches = filterOf(parameterIn(query, "$filter"), scope, withGroups);
      return roleAssignments
        .list()
        .filter((each) => isWithin(scope, each.scope) || isWithin(each.scope, scope))
        .filter(matches)
        .map(resourceOf);
    },
    onWrite: ({ id, name, body }, { request: { caller } }) => {
      const scope = attachedTo(id);
      const roleId = assignedRole(state, body, scope).id;
      const principalId = principalIdIn(body);
      const requestedType = textAt(propertiesIn(body), "principalType");
      // https://learn.microsoft.com/azure/role-based-access-control/conditions-role-assignments-rest
      const condition = textAt(propertiesIn(body), "condition") ?? null;
      const assignment = roleAssignments.put({
        name,
        scope,
        roleId,
        principalId,
        principalType: principalTypeOf(state, principalId, requestedType),
        description: textAt(propertiesIn(body), "description") ?? null,
        condition,
        conditionVersion:
          textAt(propertiesIn(body), "conditionVersion") ?? (condition === null ? null : "2.0"),
        delegatedManagedIdentityResourceId:
          textAt(propertiesIn(body), "delegatedManagedIdentityResourceId") ?? null,
        updatedBy: caller.objectId,
      });
      // The response to a write does not name the creator yet.
      return resourceOf({ ...assignment, createdBy: null });
    },
    onDelete: ({ id }) => void roleAssignments.deleteWithId(id),
    checkParent: (id, action) => {
      const name = nameIn(id);
      if (!UUID.test(name)) {
        const message = `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`;
        throw serviceError.InvalidRoleAssignmentId(message);
      }
      if (action === "write") {
        requireScope(state.resources, attachedTo(id));
      }
    },
    fields: FIELDS,
    show: shownPlainly,
    writeStatus: 201,
    showsDeleted: true,
    notFound: (id) =>
      serviceError.RoleAssignmentNotFound(`The role assignment '${nameIn(id)}' is not found.`),
  };
}

const AT_SCOPE_OR_PRINCIPAL = /^\s*(?:(atScope\(\))|principalId\s+eq\s+'([^']+)')\s*$/i;
const ASSIGNED = /^\s*(atScope\(\)\s+and\s+)?assignedTo\('([^']+)'\)\s*$/i;

/**
 * Role assignments have four filters, which do not combine.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/role-assignments-list-rest
 * @throws ServiceError 400 for another one
 */
function filterOf(
  filter: string,
  scope: string,
  withGroups: (id: string) => readonly string[],
): (assignment: RoleAssignment) => boolean {
  if (filter.trim() === "") return () => true;
  const isAssigned = /assignedTo/i.test(filter);
  const [atScope, id] = groupsOf(isAssigned ? ASSIGNED : AT_SCOPE_OR_PRINCIPAL, filter);
  if (!atScope && !id) {
    throw serviceError.UnsupportedQuery(
      `The filter '${filter}' is not supported. Supported filters are either 'atScope()' or 'principalId eq '{value}' or assignedTo('{value}')'.`,
    );
  }
  const holders = isAssigned ? withGroups(id) : [id];
  return (each) =>
    (!id || holders.some((holder) => sameText(each.principalId, holder))) &&
    (!atScope || isWithin(scope, each.scope));
}

/** A custom role exists at its assignable scopes and below them. */
function assignedRole(
  { roleDefinitions }: SubscriptionState,
  body: unknown,
  scope: string,
): RoleDefinition {
  const roleDefinitionId = textOrEmpty(propertiesIn(body), "roleDefinitionId");
  const definition = roleDefinitions.get(roleDefinitionId);
  if (definition?.assignableScopes.some((each) => isWithin(scope, each))) return definition;
  throw new ServiceError(
    400,
    "RoleDefinitionDoesNotExist",
    `The specified role definition with ID '${roleDefinitionId}' does not exist.`,
  );
}

function principalIdIn(body: unknown): string {
  const principalId = textOrEmpty(propertiesIn(body), "principalId");
  if (UUID.test(principalId)) return principalId;
  const message =
    principalId === ""
      ? "A valid principal ID must be provided for role assignment."
      : `The Principal ID '${principalId}' is not valid. Principal ID must be a GUID.`;
  throw serviceError.InvalidPrincipalId(message);
}

/** A caller that names the type may assign a role to a principal that the directory lacks. */
function principalTypeOf(
  { directory, tenantId }: SubscriptionState,
  principalId: string,
  requested: string | undefined,
): string {
  const type = directory.tenant(tenantId)?.assignee(principalId)?.type ?? requested;
  if (type !== undefined && type.toLowerCase() !== (requested ?? type).toLowerCase()) {
    throw serviceError.UnmatchedPrincipalType(
      `The PrincipalId '${principalId.replaceAll("-", "")}' has type '${type}', which is different from specified PrincipalType '${requested}'.`,
    );
  }
  if (type !== undefined) return type;
  throw serviceError.PrincipalNotFound(
    `Principal ${principalId.replaceAll("-", "")} does not exist in the directory ${tenantId}. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.`,
  );
}

function resourceOf(assignment: RoleAssignment): Resource {
  const { id, name: _, roleId, effectiveAt: __, ...rest } = assignment;
  const written = Object.entries(rest).filter(
    ([name, value]) => value !== null || !Object.hasOwn(unwritten, name),
  );
  const properties = {
    roleDefinitionId: roleDefinitionIdAt(assignment.scope, roleId),
    ...Object.fromEntries(written),
  };
  return resourceAt(id, TYPE, { properties });
}

const unwritten = {
  condition: null,
  conditionVersion: null,
  delegatedManagedIdentityResourceId: null,
  description: null,
};

const FIELDS: FieldRules = {
  always: { properties: unwritten },
  since: Object.fromEntries(
    Object.keys(unwritten).map((name) => [`properties.${name}`, "2020-03-01"]),
  ),
};
