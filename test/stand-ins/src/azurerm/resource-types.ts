import { randomUUID } from "node:crypto";
import type { Account } from "../cloud/account.js";
import { computed, type Field, sameNames } from "../provider/fields.js";
import {
  type Attributes,
  at,
  isAttributes,
  objects,
  text,
  texts,
  type Value,
} from "../values/value.js";
import { eventSubscription } from "./event-subscription.js";
import type { ManagedResource } from "./managed-resource.js";
import { actionGroup, diagnosticSetting, metricAlert } from "./monitoring.js";
import { networkTypes } from "./networks.js";

const GROUP = "/subscriptions/{subscription}/resourceGroups/{resource_group_name}";

/** A switch, by the service's values for on and off. The service omits the first. */
const either = (path: string, on: Value, off: Value): Field => ({
  path,
  read: (json) => json !== off,
  write: (value) => (value === false ? off : on),
});

const topic: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.EventGrid/topics/{name}`,
  apiVersion: "2025-02-15",
  named: "Topic",
  isLongRunning: true,
  fields: {
    location: "location",
    tags: "tags",
    identity: { path: "identity", read: fromIdentity, write: toIdentity },
    endpoint: computed("properties.endpoint"),
    input_schema: "properties.inputSchema",
    local_auth_enabled: either("properties.disableLocalAuth", false, true),
    public_network_access_enabled: either("properties.publicNetworkAccess", "Enabled", "Disabled"),
  },
  forceNew: ["name", "resource_group_name", "location", "input_schema"],
  defaults: {
    input_schema: "EventGridSchema",
    local_auth_enabled: true,
    public_network_access_enabled: true,
  },
  // Every read also requests the keys.
  async learn(id, _, account) {
    const path = `${id}/listKeys?api-version=${topic.apiVersion}`;
    const { body } = await account.resourceManager.call("POST", path);
    return { primary_access_key: text(body, "key1"), secondary_access_key: text(body, "key2") };
  },
};

const resourceGroup: ManagedResource = {
  id: "/subscriptions/{subscription}/resourceGroups/{name}",
  apiVersion: "2023-07-01",
  named: "Resource Group",
  fields: sameNames("", "location", "tags", "managed_by"),
  forceNew: ["name", "location"],
};

const userAssignedIdentity: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{name}`,
  apiVersion: "2024-11-30",
  named: "User Assigned Identity",
  fields: {
    location: "location",
    tags: "tags",
    client_id: computed("properties.clientId"),
    principal_id: computed("properties.principalId"),
    tenant_id: computed("properties.tenantId"),
  },
  forceNew: ["name", "resource_group_name", "location"],
};

const roleAssignment: ManagedResource = {
  id: "{scope}/providers/Microsoft.Authorization/roleAssignments/{name}",
  apiVersion: "2022-04-01",
  named: "Role Assignment",
  fields: {
    scope: computed("properties.scope"),
    ...sameNames("properties.", "role_definition_id", "principal_id", "principal_type"),
    ...sameNames("properties.", "description", "condition", "condition_version"),
  },
  forceNew: [
    ...["name", "scope", "role_definition_id", "role_definition_name"],
    ...["principal_id", "principal_type"],
  ],
  alsoForceNew: ({ updatesRoleAssignments }) =>
    updatesRoleAssignments ? [] : ["description", "condition", "condition_version"],
  prepare: async (planned, account) => ({
    ...planned,
    name: text(planned, "name") || randomUUID(),
    role_definition_id: text(planned, "role_definition_id") || (await roleId(planned, account)),
  }),
  async learn(_, learnt, account) {
    const path = `${text(learnt, "role_definition_id")}?api-version=2022-05-01-preview`;
    const role = await account.resourceManager.get(path);
    return { role_definition_name: text(role, "properties.roleName") };
  },
};

/** The resource types that the local Azure serves. */
export const resourceTypes: Readonly<Record<string, ManagedResource>> = {
  azurerm_eventgrid_event_subscription: eventSubscription,
  azurerm_eventgrid_topic: topic,
  azurerm_monitor_action_group: actionGroup,
  azurerm_monitor_diagnostic_setting: diagnosticSetting,
  azurerm_monitor_metric_alert: metricAlert,
  azurerm_resource_group: resourceGroup,
  azurerm_role_assignment: roleAssignment,
  azurerm_user_assigned_identity: userAssignedIdentity,
  ...networkTypes,
};

/** A role's ID by its name. */
async function roleId(planned: Attributes, account: Account): Promise<string> {
  const name = text(planned, "role_definition_name");
  const filter = encodeURIComponent(`roleName eq '${name}'`);
  const roles = `${text(planned, "scope")}/providers/Microsoft.Authorization/roleDefinitions`;
  const path = `${roles}?$filter=${filter}&api-version=2022-05-01-preview`;
  const [role] = objects(await account.resourceManager.get(path), "value");
  if (role === undefined) throw new Error(`could not find role \`${name}\``);
  return text(role, "id");
}

/** The block `identity` as Resource Manager accepts it. */
export function toIdentity(value: Value): Value {
  const [identity] = objects({ value }, "value");
  if (identity === undefined) return { type: "None" };
  const ids = texts(identity, "identity_ids").map((id) => [id, {}]);
  return {
    type: text(identity, "type"),
    ...(ids.length > 0 && { userAssignedIdentities: Object.fromEntries(ids) }),
  };
}

/** Resource Manager's identity as a list with one block, or none. */
export function fromIdentity(identity: Value): Attributes[] {
  const type = text(identity, "type");
  if (type === "" || type === "None") return [];
  const assigned = at(identity, "userAssignedIdentities");
  return [
    {
      type,
      identity_ids: isAttributes(assigned) ? Object.keys(assigned) : null,
      principal_id: text(identity, "principalId"),
      tenant_id: text(identity, "tenantId"),
    },
  ];
}
