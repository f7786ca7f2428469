import { blockList, computed, type Fields, sameNames } from "../provider/fields.js";
import { at, type Value } from "../values/value.js";
import type { ManagedResource } from "./managed-resource.js";

const GROUP = "/subscriptions/{subscription}/resourceGroups/{resource_group_name}/providers";
const API_VERSION = "2025-01-01";

const subnetFields: Fields = {
  address_prefixes: {
    path: "properties",
    read: (json) => at(json, "addressPrefixes") ?? [at(json, "addressPrefix")],
    write: (value) => (Array.isArray(value) ? { addressPrefix: value[0] ?? null } : null),
  },
  ...sameNames("properties.", "private_endpoint_network_policies"),
};

/** Settings of a subnet in its network that are never written here, with their values. */
const unwritten: Readonly<Record<string, Value>> = {
  delegation: [],
  private_link_service_network_policies_enabled: true,
  route_table_id: "",
  security_group: "",
  service_endpoint: [],
  service_endpoint_policy_ids: [],
};

const inlineSubnet: Fields = {
  id: computed("id"),
  name: "name",
  ...subnetFields,
  ...sameNames("properties.", "default_outbound_access_enabled"),
  ...Object.fromEntries(
    Object.entries(unwritten).map(([name, value]) => [
      name,
      { path: "", read: () => value, write: () => null },
    ]),
  ),
};

/** Networks and subnets, private DNS zones and links, and workspaces, without their rarer settings. */
export const networkTypes: Readonly<Record<string, ManagedResource>> = {
  azurerm_virtual_network: {
    id: `${GROUP}/Microsoft.Network/virtualNetworks/{name}`,
    apiVersion: API_VERSION,
    named: "Virtual Network",
    fields: {
      location: "location",
      tags: "tags",
      address_space: "properties.addressSpace.addressPrefixes",
      guid: computed("properties.resourceGuid"),
      private_endpoint_vnet_policies: "properties.privateEndpointVNetPolicies",
      // Without a written list, the subnets are those that other resources create.
      subnet: blockList("properties.subnets", inlineSubnet),
    },
    forceNew: ["name", "resource_group_name", "location"],
    defaults: { private_endpoint_vnet_policies: "Disabled" },
  },
  azurerm_subnet: {
    id: `${GROUP}/Microsoft.Network/virtualNetworks/{virtual_network_name}/subnets/{name}`,
    apiVersion: API_VERSION,
    named: "Subnet",
    fields: subnetFields,
    forceNew: ["name", "resource_group_name", "virtual_network_name"],
    defaults: { private_endpoint_network_policies: "Disabled" },
  },
  azurerm_private_dns_zone: {
    id: `${GROUP}/Microsoft.Network/privateDnsZones/{name}`,
    apiVersion: "2024-06-01",
    named: "Private Dns Zone",
    fields: {
      tags: "tags",
      ...Object.fromEntries(
        Object.entries(
          sameNames(
            "properties.",
            ...["number_of_record_sets", "max_number_of_record_sets"],
            ...["max_number_of_virtual_network_links"],
            ...["max_number_of_virtual_network_links_with_registration"],
          ),
        ).map(([name, path]) => [name, computed(path)]),
      ),
    },
    forceNew: ["name", "resource_group_name"],
    write: (body) => ({ ...body, location: "global" }),
  },
  azurerm_private_dns_zone_virtual_network_link: {
    id: "{private_dns_zone_id}/virtualNetworkLinks/{name}",
    apiVersion: "2024-06-01",
    named: "Virtual Network Link",
    fields: {
      tags: "tags",
      virtual_network_id: "properties.virtualNetwork.id",
      ...sameNames("properties.", "registration_enabled", "resolution_policy"),
    },
    forceNew: ["name", "private_dns_zone_id", "virtual_network_id"],
    defaults: { registration_enabled: false },
    write: (body) => ({ ...body, location: "global" }),
  },
  azurerm_log_analytics_workspace: {
    id: `${GROUP}/Microsoft.OperationalInsights/workspaces/{name}`,
    apiVersion: "2025-07-01",
    named: "Workspace",
    fields: {
      location: "location",
      tags: "tags",
      sku: "properties.sku.name",
      workspace_id: computed("properties.customerId"),
      retention_in_days: "properties.retentionInDays",
      daily_quota_gb: "properties.workspaceCapping.dailyQuotaGb",
      allow_resource_only_permissions:
        "properties.features.enableLogAccessUsingOnlyResourcePermissions",
    },
    forceNew: ["name", "resource_group_name", "location"],
    defaults: { allow_resource_only_permissions: true, daily_quota_gb: -1 },
    async learn(id, _, account) {
      const path = `${id}/sharedKeys?api-version=2020-08-01`;
      const { body } = await account.resourceManager.call("POST", path);
      return {
        primary_shared_key: at(body, "primarySharedKey"),
        secondary_shared_key: at(body, "secondarySharedKey"),
      };
    },
  },
};
