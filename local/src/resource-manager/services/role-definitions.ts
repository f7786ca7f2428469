import { ServiceError } from "../../base/index.js";
import { type Resource, type ResourceType, resourceAt, shownPlainly } from "../engine/index.js";
import {
  type RoleDefinition,
  roleDefinitionById,
  roleDefinitionByName,
  roleDefinitionIdAt,
  roleDefinitions,
} from "../resources/index.js";

const TYPE = "Microsoft.Authorization/roleDefinitions";

/** The built-in roles, which exist at every scope. Every principal may read them. */
export const roleDefinitionResources: ResourceType = {
  type: TYPE,
  scope: "any",
  methods: ["GET"],
  isPublic: true,
  read: {
    get: (id) => {
      const [scope = "", name] = id.split(new RegExp(`/providers/${TYPE}/`, "i"));
      const definition = name === undefined ? undefined : roleDefinitionById(name);
      return definition && resourceOf(definition, scope);
    },
  },
  filter: "list",
  list: (scope, { query }) => {
    const filter = query.get("$filter") ?? "";
    const name = /roleName eq '((?:[^']|'')*)'/i.exec(filter)?.[1]?.replaceAll("''", "'");
    const listed = name === undefined ? roleDefinitions : [roleDefinitionByName(name)];
    return listed.flatMap((definition) => (definition ? [resourceOf(definition, scope)] : []));
  },
  show: shownPlainly,
  notFound: (id) =>
    new ServiceError(
      404,
      "RoleDefinitionDoesNotExist",
      `The specified role definition with ID '${id.split("/").at(-1)}' does not exist.`,
    ),
};

/** When most built-in roles were added to Azure. */
const ADDED_ON = "2015-02-02T21:55:09.8806423Z";

function resourceOf(definition: RoleDefinition, scope: string): Resource {
  const { id: name, roleName, description, actions, notActions, dataActions } = definition;
  const properties = {
    roleName,
    type: "BuiltInRole",
    description,
    assignableScopes: ["/"],
    permissions: [{ actions, notActions, dataActions, notDataActions: [] }],
    createdOn: ADDED_ON,
    updatedOn: ADDED_ON,
    createdBy: null,
    updatedBy: null,
  };
  return resourceAt(roleDefinitionIdAt(scope, name), TYPE, { properties });
}
