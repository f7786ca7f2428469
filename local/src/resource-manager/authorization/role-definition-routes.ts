import type { Router } from "../../api/index.js";
import { ServiceError, subscriptionOf } from "../../base/index.js";
import {
  type RoleDefinition,
  roleDefinitionById,
  roleDefinitionByName,
  roleDefinitions,
} from "./role-definitions.js";

const ROOT = "*scope/providers/Microsoft.Authorization/roleDefinitions";

/** Role definitions at any scope, by ID or filtered by name. Every principal may read them. */
export function addRoleDefinitionRoutes(router: Router): void {
  router.on("GET", `/${ROOT}`, (request, parameter) => {
    const filter = request.query.get("$filter") ?? "";
    const name = /roleName eq '((?:[^']|'')*)'/i.exec(filter)?.[1]?.replaceAll("''", "'");
    const found = name === undefined ? roleDefinitions : [roleDefinitionByName(name)];
    const value = found.flatMap((each) => (each ? [answerOf(each, parameter("scope"))] : []));
    return { status: 200, body: { value } };
  });
  router.on("GET", `/${ROOT}/:id`, (_, parameter) => {
    const definition = roleDefinitionById(parameter("id"));
    if (definition) return { status: 200, body: answerOf(definition, parameter("scope")) };
    throw new ServiceError(
      404,
      "RoleDefinitionDoesNotExist",
      `The specified role definition with ID '${parameter("id")}' does not exist.`,
    );
  });
}

/** A role definition's resource ID at a scope, below the scope's subscription if it has one. */
export function roleDefinitionIdAt(scope: string, roleId: string): string {
  const subscription = subscriptionOf(scope);
  const prefix = subscription === undefined ? "" : `/subscriptions/${subscription}`;
  return `${prefix}/providers/Microsoft.Authorization/roleDefinitions/${roleId}`;
}

function answerOf(definition: RoleDefinition, scope: string) {
  const { id, roleName, description, actions, notActions, dataActions } = definition;
  return {
    id: roleDefinitionIdAt(scope, id),
    type: "Microsoft.Authorization/roleDefinitions",
    name: id,
    properties: {
      roleName,
      type: "BuiltInRole",
      description,
      assignableScopes: ["/"],
      permissions: [{ actions, notActions, dataActions, notDataActions: [] }],
    },
  };
}
