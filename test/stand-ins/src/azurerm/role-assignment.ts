import { randomUUID } from "node:crypto";
import type { Account } from "../cloud/account.js";
import { at, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { eventually } from "../cloud/polling.js";
import { doing, Refusal } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { exactlyOne, oneOf, uuids } from "../provider/checks.js";
import type { Problem } from "../provider/problem.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import { API_VERSION, versioned } from "./versions.js";

/** `azurerm_role_assignment`. */
export const roleAssignment: ResourceType<Account> = {
  forceNew: [
    "name",
    "scope",
    "role_definition_id",
    "role_definition_name",
    "principal_id",
    "principal_type",
    "delegated_managed_identity_resource_id",
  ],
  caseInsensitive: ["role_definition_id", "role_definition_name"],

  check: (config): Problem[] => [
    ...exactlyOne(config, ["role_definition_id", "role_definition_name"]),
    ...uuids(config, "name", "principal_id"),
    ...oneOf(config, "principal_type", ["User", "Group", "ServicePrincipal"]),
  ],

  async create(planned, account) {
    const scope = text(planned, "scope");
    const roleDefinitionId = await roleId(planned, account);
    const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${text(planned, "name") || randomUUID()}`;
    if (await find(id, account)) throw alreadyExists("azurerm_role_assignment", id);
    await put(id, { ...planned, role_definition_id: roleDefinitionId }, account);
    return { ...(await read(id, account)), id };
  },

  read: (state, account) => read(text(state, "id"), account),

  async update(prior, planned, account) {
    await put(text(prior, "id"), planned, account);
    return (await read(text(prior, "id"), account)) ?? {};
  },

  async delete(state, account) {
    try {
      const path = versioned(text(state, "id"), API_VERSION.authorization);
      await account.resourceManager.call("DELETE", path);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
  },
};

function find(id: string, account: Account): Promise<Json | undefined> {
  return account.resourceManager.find(versioned(id, API_VERSION.authorization));
}

/** Retries while Resource Manager does not know a new principal of the directory yet. */
function put(id: string, planned: Attributes, account: Account): Promise<true> {
  const body = {
    properties: {
      roleDefinitionId: text(planned, "role_definition_id"),
      principalId: text(planned, "principal_id"),
      principalType: text(planned, "principal_type") || undefined,
      description: text(planned, "description"),
      condition: text(planned, "condition") || undefined,
      conditionVersion: text(planned, "condition_version") || undefined,
    },
  };
  return eventually(account.resourceManager.polling, async () => {
    try {
      await account.resourceManager.call("PUT", versioned(id, API_VERSION.authorization), body);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === "PrincipalNotFound") return undefined;
      throw error;
    }
  });
}

async function roleId(planned: Attributes, account: Account): Promise<string> {
  const name = text(planned, "role_definition_name");
  if (name === "") return text(planned, "role_definition_id");
  const filter = encodeURIComponent(`roleName eq '${name}'`);
  const found = await doing("listing role definitions", () =>
    account.resourceManager.get(
      `${text(planned, "scope")}/providers/Microsoft.Authorization/roleDefinitions?$filter=${filter}&api-version=${API_VERSION.roleDefinitions}`,
    ),
  );
  const [role] = listAt(found, "value");
  if (role === undefined) {
    throw new Error(`listing role definitions: could not find role \`${name}\``);
  }
  return stringAt(role, "id");
}

async function read(id: string, account: Account): Promise<Attributes | undefined> {
  const found = await find(id, account);
  if (found === undefined) return undefined;
  const definition = stringAt(found, "properties", "roleDefinitionId");
  const role = await account.resourceManager.get(
    versioned(definition, API_VERSION.roleDefinitions),
  );
  const property = (name: string) => stringAt(at(found, "properties"), name);
  return {
    name: stringAt(found, "name"),
    scope: property("scope"),
    role_definition_id: definition,
    role_definition_name: stringAt(role, "properties", "roleName"),
    principal_id: property("principalId"),
    principal_type: property("principalType"),
    description: property("description"),
    condition: property("condition"),
    condition_version: property("conditionVersion"),
  };
}
