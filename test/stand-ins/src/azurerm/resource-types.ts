import { randomUUID } from "node:crypto";
import type { Account } from "../cloud/account.js";
import { at, isObject, type Json, listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { text, texts } from "../provider/provider.js";
import type { Fields } from "../tables/fields.js";
import type { ManagedResource } from "../tables/managed-resource.js";
import { type Attributes, isAttributes, type Value } from "../values/value.js";
import { scopedSubscription, systemTopicSubscription } from "./event-subscription.js";
import { actionGroup, diagnosticSetting, metricAlert } from "./monitor-types.js";

const GROUP = "/subscriptions/{subscription}/resourceGroups/{resource_group_name}";
const ROLES = "/providers/Microsoft.Authorization/roleDefinitions";

/** Azure's short form of a region's name: `West Europe` is `westeurope`. */
const location = (text: string) => text.replaceAll(" ", "").toLowerCase();

const inPlace: Fields = {
  location: "location",
  tags: "tags",
  identity: { path: "identity", read: fromIdentity, write: toIdentity },
};

const topic: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.EventGrid/topics/{name}`,
  apiVersion: "2025-02-15",
  named: 'Topic (Resource Group Name: "{resource_group_name}", Topic Name: "{name}")',
  patchedWithout: ["location"],
  fields: {
    ...inPlace,
    endpoint: "properties.endpoint",
    input_schema: "properties.inputSchema",
    local_auth_enabled: {
      path: "properties.disableLocalAuth",
      read: (disabled) => disabled !== true,
      write: (enabled) => enabled === false,
    },
    public_network_access_enabled: {
      path: "properties.publicNetworkAccess",
      read: (access) => access !== "Disabled",
      write: (enabled) => (enabled === false ? "Disabled" : "Enabled"),
    },
  },
  forceNew: [
    ...["name", "resource_group_name", "location"],
    ...["input_schema", "input_mapping_fields", "input_mapping_default_values"],
  ],
  normalize: { location },
  defaults: {
    input_schema: "EventGridSchema",
    local_auth_enabled: true,
    public_network_access_enabled: true,
  },
  // Every read also requests the keys.
  async learn(id, _, account) {
    const path = `${id}/listKeys?api-version=${topic.apiVersion}`;
    const { body } = await account.resourceManager.call("POST", path);
    return {
      primary_access_key: stringAt(body, "key1"),
      secondary_access_key: stringAt(body, "key2"),
    };
  },
};

const systemTopic: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.EventGrid/systemTopics/{name}`,
  apiVersion: topic.apiVersion,
  named: 'System Topic "{name}"',
  fields: {
    ...inPlace,
    source_resource_id: "properties.source",
    source_arm_resource_id: { path: "properties.source", only: "read" },
    metric_resource_id: "properties.metricResourceId",
    metric_arm_resource_id: "properties.metricResourceId",
    topic_type: "properties.topicType",
  },
  forceNew: [
    ...["name", "resource_group_name", "location"],
    ...["source_arm_resource_id", "source_resource_id", "topic_type"],
  ],
  normalize: { location },
  // The older of the two names.
  prepare: async (planned) => ({
    ...planned,
    source_resource_id:
      text(planned, "source_resource_id") || text(planned, "source_arm_resource_id"),
  }),
};

const resourceGroup: ManagedResource = {
  id: "/subscriptions/{subscription}/resourceGroups/{name}",
  apiVersion: "2023-07-01",
  named: 'Resource Group (Subscription: "{subscription}"\nResource Group Name: "{name}")',
  fields: { location: "location", tags: "tags", managed_by: "managedBy" },
  forceNew: ["name", "location"],
  normalize: { location },
};

const userAssignedIdentity: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{name}`,
  apiVersion: "2024-11-30",
  named:
    'User Assigned Identity (Resource Group Name: "{resource_group_name}", User Assigned Identity Name: "{name}")',
  fields: {
    location: "location",
    tags: "tags",
    client_id: { path: "properties.clientId", only: "read" },
    principal_id: { path: "properties.principalId", only: "read" },
    tenant_id: { path: "properties.tenantId", only: "read" },
  },
  forceNew: ["name", "resource_group_name", "location"],
  normalize: { location },
};

const roleAssignment: ManagedResource = {
  id: "{scope}/providers/Microsoft.Authorization/roleAssignments/{name}",
  apiVersion: "2022-04-01",
  named: 'Role Assignment (Scope: "{scope}", Name: "{name}")',
  fields: {
    scope: { path: "properties.scope", only: "read" },
    role_definition_id: "properties.roleDefinitionId",
    principal_id: "properties.principalId",
    principal_type: "properties.principalType",
    description: "properties.description",
    condition: "properties.condition",
    condition_version: "properties.conditionVersion",
  },
  forceNew: [
    ...["name", "scope", "role_definition_id", "role_definition_name"],
    ...["principal_id", "principal_type", "delegated_managed_identity_resource_id"],
  ],
  caseInsensitive: ["role_definition_id", "role_definition_name"],
  // Until Resource Manager knows a new principal of the directory.
  retried: "PrincipalNotFound",
  prepare: async (planned, account) => ({
    ...planned,
    name: text(planned, "name") || randomUUID(),
    role_definition_id: await roleId(planned, account),
  }),
  async learn(_, learnt, account) {
    const path = `${text(learnt, "role_definition_id")}?api-version=2022-05-01-preview`;
    const role = await account.resourceManager.get(path);
    return { role_definition_name: stringAt(role, "properties", "roleName") };
  },
};

/** The resource types that the local Azure serves, apart from those with steps of their own. */
export const resourceTypes: Readonly<Record<string, ManagedResource>> = {
  azurerm_eventgrid_event_subscription: scopedSubscription,
  azurerm_eventgrid_system_topic: systemTopic,
  azurerm_eventgrid_system_topic_event_subscription: systemTopicSubscription,
  azurerm_eventgrid_topic: topic,
  azurerm_monitor_action_group: actionGroup,
  azurerm_monitor_diagnostic_setting: diagnosticSetting,
  azurerm_monitor_metric_alert: metricAlert,
  azurerm_resource_group: resourceGroup,
  azurerm_role_assignment: roleAssignment,
  azurerm_user_assigned_identity: userAssignedIdentity,
};

async function roleId(planned: Attributes, account: Account): Promise<string> {
  const name = text(planned, "role_definition_name");
  if (text(planned, "role_definition_id") !== "" || name === "") {
    return text(planned, "role_definition_id");
  }
  const filter = encodeURIComponent(`roleName eq '${name}'`);
  const path = `${text(planned, "scope")}${ROLES}?$filter=${filter}&api-version=2022-05-01-preview`;
  const found = await doing("listing role definitions", () => account.resourceManager.get(path));
  const [role] = listAt(found, "value");
  if (role === undefined) {
    throw new Error(`listing role definitions: could not find role \`${name}\``);
  }
  return stringAt(role, "id");
}

/** The block `identity` as Resource Manager accepts it. */
function toIdentity(block: Value): Json {
  const [identity] = Array.isArray(block) ? block.filter(isAttributes) : [];
  if (identity === undefined) return { type: "None" };
  const ids = texts(identity, "identity_ids").map((id) => [id, {}]);
  return {
    type: text(identity, "type"),
    ...(ids.length > 0 && { userAssignedIdentities: Object.fromEntries(ids) }),
  };
}

/** Resource Manager's identity as a list with one block, or none. */
function fromIdentity(identity: Json | undefined): Attributes[] {
  const type = stringAt(identity, "type");
  if (type === "" || type === "None") return [];
  const assigned = at(identity, "userAssignedIdentities");
  return [
    {
      type,
      identity_ids: isObject(assigned) ? Object.keys(assigned) : null,
      principal_id: stringAt(identity, "principalId"),
      tenant_id: stringAt(identity, "tenantId"),
    },
  ];
}
