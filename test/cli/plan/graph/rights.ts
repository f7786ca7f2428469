/** Groups, roles, keys and templates that are added to the deployment. */

import { ACCOUNT, EVENT_GRID, SYSTEM } from "../world.js";
import { GROUP, of, type Sets, same } from "./changed-world.js";

export const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus`;

export const group = { id: "/groups/1", object_id: "aaaaaaaa-0000-4000-8000-000000000001" };
export const role = { ...of("azurerm_role_assignment.queue"), id: `${ACCOUNT}/role` };
const without: Sets = { "azurerm_role_assignment.queue": [null, null] };
export const ofGroup: Sets = {
  ...without,
  "azurerm_role_assignment.g": same({ ...role, principal_id: group.object_id }),
};
export const member = { id: "1", group_object_id: group.object_id, member_object_id: SYSTEM };
export const ADD = "Microsoft.Storage/storageAccounts/queueServices/queues/messages/add/action";
export const definition = {
  id: "1|2",
  role_definition_resource_id: "/providers/Microsoft.Authorization/roleDefinitions/1",
  permissions: [{ data_actions: [ADD, "read"], not_data_actions: [] }],
};
export const custom: Sets = {
  ...without,
  "azurerm_role_assignment.c": same({
    ...role,
    role_definition_name: "Ours",
    role_definition_id: definition.role_definition_resource_id,
  }),
};
export const permitting = (data_actions: string[]) => ({
  ...definition,
  permissions: [{ data_actions }],
});
/** The role of {@link custom}, as azapi defines it. */
export const azapiRole = (dataActions: unknown[]) => ({
  id: definition.role_definition_resource_id,
  type: "Microsoft.Authorization/roleDefinitions@2022-04-01",
  body: { properties: { roleName: "Ours", permissions: [{ actions: [], dataActions }] } },
});
/** The role of the identity that delivers, as Privileged Identity Management assigns it. */
export const pim = (schedule: object[]) => ({
  ...role,
  role_definition_name: undefined,
  role_definition_id: `/subscriptions/1/providers/Microsoft.Authorization/roleDefinitions/c6a89b2d-59bc-44d0-9896-0f6e12d7b80a`,
  schedule,
});
export const update = (type: string, resource_id: string, body: object): Sets => ({
  "azapi_update_resource.u": [null, { type: `${type}@2024-01-01`, resource_id, body }],
});
export const queues = "Microsoft.ServiceBus/namespaces/queues";
export const disabled = { properties: { status: "Disabled" } };
export const disabledQueue = (body: unknown) => ({
  id: `${BUS}/queues/orders`,
  type: `${queues}@2024-01-01`,
  body,
});

export const template = {
  resource_group_name: "shop",
  template_content: JSON.stringify({ resources: [{ type: "Microsoft.Storage/storageAccounts" }] }),
};
export const deployment = "azurerm_resource_group_template_deployment.d";
export const deployed = {
  type: "Microsoft.Resources/deployments@2024-03-01",
  parent_id: GROUP,
};
export const endpoint = String(of("azurerm_private_endpoint.topic").id);

export const own = { type: "SystemAssigned", principal_id: EVENT_GRID };
export const job = { id: `${GROUP}/providers/Microsoft.App/jobs/j`, identity: [own] };
