import type { Account } from "../cloud/account.js";
import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  stringAt,
} from "../cloud/json-client.js";
import type { Problem } from "../provider/problem.js";
import { onlyBlock, type ResourceType, text, texts } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { type ManagedResource, managedResource } from "../tables/managed-resource.js";
import type { Attributes } from "../values/value.js";

const apiVersion = "2025-01-01";

const table: ManagedResource = {
  id: "/subscriptions/{subscription}/resourceGroups/{resource_group_name}/providers/Microsoft.Network/privateEndpoints/{name}",
  apiVersion,
  named:
    'Private Endpoint (Resource Group Name: "{resource_group_name}", Private Endpoint Name: "{name}")',
  fields: {
    location: "location",
    tags: "tags",
    custom_network_interface_name: "properties.customNetworkInterfaceName",
    subnet_id: "properties.subnet.id",
    custom_dns_configs: {
      path: "properties.customDnsConfigs",
      read: (json) =>
        (Array.isArray(json) ? json : []).map((each) => ({
          fqdn: stringAt(each, "fqdn"),
          ip_addresses: listAt(each, "ipAddresses").map(String),
        })),
    },
    network_interface: {
      path: "properties.networkInterfaces",
      read: (json) =>
        (Array.isArray(json) ? json : []).map((each) => {
          const id = stringAt(each, "id");
          return { id, name: id.split("/").at(-1) ?? "" };
        }),
    },
    private_service_connection: {
      path: "connection",
      fields: {
        name: "name",
        is_manual_connection: "isManual",
        private_connection_resource_id: "properties.privateLinkServiceId",
        request_message: "properties.requestMessage",
        subresource_names: "properties.groupIds",
      },
    },
  },
  forceNew: [
    ...["name", "resource_group_name", "location", "subnet_id"],
    ...["custom_network_interface_name", "ip_configuration"],
  ],
  check: ({ private_service_connection: connections }) => checkConnection(connections),
  write({ connection, ...body }: JsonObject) {
    const { isManual, ...own } = isObject(connection) ? connection : {};
    const properties = at(body, "properties");
    return {
      ...body,
      properties: {
        ...(isObject(properties) && properties),
        privateLinkServiceConnections: isManual === true ? [] : [own],
        manualPrivateLinkServiceConnections: isManual === true ? [own] : [],
      },
    };
  },
  read(body: Json) {
    const [automatic] = listAt(body, "properties", "privateLinkServiceConnections");
    const [manual] = listAt(body, "properties", "manualPrivateLinkServiceConnections");
    const own = automatic ?? manual;
    return {
      ...(isObject(body) && body),
      connection: { ...(isObject(own) && own), isManual: automatic === undefined },
    };
  },
  async learn(id, learnt, account) {
    const [networkInterface] = listAt({ list: learnt.network_interface as Json }, "list");
    const path = `${stringAt(networkInterface, "id")}?api-version=${apiVersion}`;
    const found = await account.resourceManager.find(path);
    const [configuration] = listAt(found, "properties", "ipConfigurations");
    const connection = {
      ...onlyBlock(learnt, "private_service_connection"),
      private_ip_address: stringAt(configuration, "properties", "privateIPAddress"),
    };
    const groups = await zoneGroups(id, account);
    return {
      private_service_connection: [connection],
      private_dns_zone_group: groups.map((group) => ({
        id: stringAt(group, "id"),
        name: stringAt(group, "name"),
        private_dns_zone_ids: zonesOf(group).map((zone) =>
          stringAt(zone, "properties", "privateDnsZoneId"),
        ),
      })),
      private_dns_zone_configs: groups.flatMap((group) =>
        zonesOf(group).map((zone) => ({
          id: `${stringAt(group, "id")}/privateDnsZoneConfigs/${stringAt(zone, "name")}`,
          name: stringAt(zone, "name"),
          private_dns_zone_id: stringAt(zone, "properties", "privateDnsZoneId"),
          record_sets: listAt(zone, "properties", "recordSets").map((set) => ({
            fqdn: stringAt(set, "fqdn"),
            ip_addresses: listAt(set, "ipAddresses").map(String),
            name: stringAt(set, "recordSetName"),
            ttl: Number(at(set, "ttl") ?? 0),
            type: stringAt(set, "recordType"),
          })),
        })),
      ),
    };
  },
};

/** `azurerm_private_endpoint`, whose DNS zone group is a resource of its own. */
export function privateEndpoint(type: string, schema: BlockSchema): ResourceType<Account> {
  const managed = managedResource(type, schema, table);
  return {
    ...managed,
    async create(planned, account) {
      const created = await managed.create(planned, account);
      await writeZoneGroup(text(created, "id"), planned, account);
      return { ...created, ...(await managed.read(created, account)) };
    },
    async update(prior, planned, account) {
      for (const group of await zoneGroups(text(prior, "id"), account)) {
        const path = `${stringAt(group, "id")}?api-version=${apiVersion}`;
        await account.resourceManager.remove(path);
      }
      await writeZoneGroup(text(prior, "id"), planned, account);
      return (await managed.update?.(prior, planned, account)) ?? {};
    },
  };
}

async function zoneGroups(id: string, account: Account): Promise<Json[]> {
  const path = `${id}/privateDnsZoneGroups?api-version=${apiVersion}`;
  return listAt(await account.resourceManager.find(path), "value");
}

function zonesOf(group: Json): Json[] {
  return listAt(group, "properties", "privateDnsZoneConfigs");
}

async function writeZoneGroup(id: string, planned: Attributes, account: Account): Promise<void> {
  const group = onlyBlock(planned, "private_dns_zone_group");
  if (group === undefined) return;
  const path = `${id}/privateDnsZoneGroups/${text(group, "name")}?api-version=${apiVersion}`;
  const privateDnsZoneConfigs = texts(group, "private_dns_zone_ids").map((privateDnsZoneId) => ({
    name: privateDnsZoneId.split("/").at(-1) ?? "",
    properties: { privateDnsZoneId },
  }));
  const body = { properties: { privateDnsZoneConfigs } };
  await account.resourceManager.change("PUT", path, body, "CreateOrUpdate");
}

function checkConnection(connections: Attributes[string] | undefined): Problem[] {
  const connection = onlyBlock({ connections: connections ?? null }, "connections");
  if (connection === undefined) return [];
  const name = text(connection, "name");
  const ids = ["private_connection_resource_id", "private_connection_resource_alias"];
  const given = ids.filter((each) => (connection[each] ?? null) !== null);
  const message = text(connection, "request_message").trim();
  const isManual = connection.is_manual_connection === true;
  return [
    ...(given.length === 1
      ? []
      : [
          {
            summary: "Invalid combination of arguments",
            detail: `exactly one of \`${ids.map((each) => `private_service_connection.0.${each}`).join(",")}\` must be specified`,
          },
        ]),
    ...(isManual === (message !== "")
      ? []
      : [
          {
            summary: isManual
              ? `"private_service_connection":"${name}" is invalid, the "request_message" attribute must not be empty`
              : `"private_service_connection":"${name}" is invalid, the "request_message" attribute cannot be set if the "is_manual_connection" attribute is "false"`,
          },
        ]),
  ];
}
