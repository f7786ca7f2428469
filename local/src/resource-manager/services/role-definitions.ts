import type { Router } from "../../api/index.js";
import {
  asText,
  attachedTo,
  isQualified,
  isWithin,
  listAt,
  nameIn,
  normalizeScope,
  propertiesIn,
  type ServiceError,
  sameText,
  serviceError,
  split,
  textOrEmpty,
  UUID,
} from "../../base/index.js";
import {
  ifKept,
  type Resource,
  type ResourceState,
  type ResourceType,
  requireScope,
  resourceAt,
  shownPlainly,
} from "../engine/index.js";
import {
  type Permission,
  type RoleDefinition,
  roleDefinitionIdAt,
  type SubscriptionState,
} from "../resources/index.js";

const TYPE = "Microsoft.Authorization/roleDefinitions";

/** The built-in roles, which exist at every scope, and custom ones. Every principal may read them. */
export function roleDefinitionResources(state: SubscriptionState): ResourceType {
  const { roleDefinitions, roleAssignments } = state;
  return {
    type: TYPE,
    scope: "any",
    methods: ["GET", "PUT", "DELETE"],
    isPublic: true,
    read: {
      get: (id) => {
        const [scope, name] = split(id, new RegExp(`/providers/${TYPE}/`, "i"));
        const definition = name === undefined ? undefined : roleDefinitions.get(name);
        return ifKept(definition, (each) => resourceOf(each, scope));
      },
    },
    filter: {
      compared: ["roleName", "type"],
      conditions: ["atScope", "atScopeAndBelow"],
      refused: (filter) =>
        serviceError.UnsupportedQuery(
          `The filter '${filter}' is not supported. Supported filters are either roleName eq '{value}' or type eq 'BuiltInRole|CustomRole'.`,
        ),
    },
    list: (scope, { query }) => {
      const isBelow = /atScopeAndBelow/i.test(String(query.get("$filter")));
      const isListed = (assignable: string) =>
        isWithin(scope, assignable) || (isBelow && isWithin(assignable, scope));
      return roleDefinitions
        .list()
        .filter((each) => each.assignableScopes.some(isListed))
        .map((each) => resourceOf(each, scope));
    },
    onWrite: ({ id, name, body }, { request: { caller } }) => {
      const role = roleIn(state, name.toLowerCase(), body, caller.objectId);
      const action = `${TYPE}/write`;
      for (const scope of role.assignableScopes) {
        const request = { action, scope: attachedTo(id) };
        state.authorization.requireLinked(caller, request, { action, scope });
      }
      roleDefinitions.put(role);
      return resourceOf(role, attachedTo(id));
    },
    onDelete: ({ name }) => {
      if (roleDefinitions.get(name)?.type === "BuiltInRole") throw builtIn(name);
      if (roleAssignments.list().some((each) => each.roleId === name)) {
        const message = "There are existing role assignments referencing role.";
        throw serviceError.RoleDefinitionHasAssignments(message);
      }
      roleDefinitions.delete(name);
    },
    checkParent: (id) => {
      const name = nameIn(id);
      if (UUID.test(name)) return;
      const message = `The role definition ID '${name}' is not valid. The role definition ID must be a GUID.`;
      throw serviceError.InvalidRoleDefinitionId(message);
    },
    show: shownPlainly,
    writeStatus: 201,
    showsDeleted: true,
    notFound: (id) =>
      serviceError.RoleDefinitionDoesNotExist(
        `The specified role definition with ID '${nameIn(id)}' does not exist.`,
      ),
  };
}

/**
 * What the caller may do at a scope, by its roles there and above.
 *
 * @see https://learn.microsoft.com/rest/api/authorization/permissions/list-for-resource-group
 */
export function addPermissionsRoute(
  router: Router,
  { authorization, resources }: ResourceState,
): void {
  router.get("/*scope/providers/Microsoft.Authorization/permissions", ({ caller }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    requireScope(resources, scope);
    return { value: authorization.permissionsAt(caller.objectId, scope) };
  });
}

const MAX_NAME = 512;

/**
 * The role that a request writes. Codes are those that Microsoft's suites expect.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/custom-roles
 * @throws ServiceError 400 or 409
 */
function roleIn(
  { roleDefinitions, now }: SubscriptionState,
  id: string,
  body: unknown,
  writer: string,
): RoleDefinition {
  const { type, description } = propertiesIn(body);
  const roleName = textOrEmpty(propertiesIn(body), "roleName").trim();
  const before = roleDefinitions.get(id);
  if (before?.type === "BuiltInRole") throw builtIn(id);
  if (type != null && !sameText(String(type), "CustomRole")) {
    const message = `The role definition type '${String(type)}' is invalid. Write 'CustomRole'.`;
    throw serviceError.InvalidRoleDefinitionType(message);
  }
  if (roleName === "" || roleName.length > MAX_NAME) {
    const message = `The role name is ${roleName === "" ? "missing or empty" : `longer than ${MAX_NAME} characters`}.`;
    throw serviceError.RoleDefinitionNameNullOrEmpty(message);
  }
  const same = roleDefinitions.named(roleName);
  if (same && same.id !== id) {
    throw serviceError.RoleDefinitionWithSameNameExists(
      `A role with the name '${roleName}' exists already in this directory, with the ID '${same.id}'.`,
    );
  }
  const updatedOn = new Date(now()).toISOString();
  return {
    id,
    roleName,
    type: "CustomRole",
    description: typeof description === "string" ? description : "",
    permissions: listAt(propertiesIn(body), "permissions").map(permissionOf),
    assignableScopes: assignableScopesIn(body),
    createdOn: before?.createdOn ?? updatedOn,
    updatedOn,
    createdBy: before?.createdBy ?? writer,
    updatedBy: writer,
  };
}

function assignableScopesIn(body: unknown): readonly string[] {
  const scopes = listAt(propertiesIn(body), "assignableScopes").map(String);
  if (scopes.length === 0) {
    const message = "The role definition needs at least one assignable scope.";
    throw serviceError.MissingAssignableScopes(message);
  }
  const wrong = scopes.find((scope) => !isQualified(scope));
  if (wrong === undefined) return scopes;
  throw serviceError.LinkedInvalidPropertyId(
    `Property id '${wrong}' at path 'properties.assignableScopes[${scopes.indexOf(wrong)}]' is invalid. Expect fully qualified resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.`,
  );
}

/** `*`, or a provider and what follows, in which `*` stands for anything. */
const ACTION = /^(\*|[\w.*-]+(\/[\w.*$-]+)+)$/;

/** Which actions exist is known for no provider. @throws ServiceError 400 for another form */
function permissionOf(written: unknown): Permission {
  const actionsIn = (name: keyof Permission) =>
    listAt(written, name).map((each) => {
      if (ACTION.test(asText(each))) return asText(each);
      const message = `'${asText(each)}' does not match any of the actions supported by the providers.`;
      throw serviceError.InvalidActionOrNotAction(message);
    });
  return {
    actions: actionsIn("actions"),
    notActions: actionsIn("notActions"),
    dataActions: actionsIn("dataActions"),
    notDataActions: actionsIn("notDataActions"),
  };
}

function builtIn(id: string): ServiceError {
  const message = `The role definition '${id}' is built in and cannot be changed.`;
  return serviceError.RoleDefinitionExists(message);
}

function resourceOf({ id, ...properties }: RoleDefinition, scope: string): Resource {
  return resourceAt(roleDefinitionIdAt(scope, id), TYPE, { properties });
}
