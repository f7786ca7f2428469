import {
  asText,
  field,
  groupOf,
  invalidRequest,
  isOfType,
  listAt,
  nameIn,
  objectAt,
  parentOf,
  propertiesIn,
  type ServiceError,
  sameScope,
  sameText,
  serviceError,
  textAt,
  textOrEmpty,
  typeOf,
} from "../../base/index.js";
import {
  type Resource,
  type Resources,
  type ResourceType,
  resourceAt,
  shownPlainly,
  stableUuid,
} from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";
import { eventGridType } from "./field-rules.js";
import { addressIn } from "./subnet-addresses.js";

/**
 * What private endpoints can connect to, by type of resource: sub-resources and their DNS zones.
 *
 * @see https://learn.microsoft.com/azure/event-grid/configure-private-endpoints
 */
const privateLinkGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Microsoft.EventGrid/topics": { topic: "privatelink.eventgrid.azure.net" },
  "Microsoft.EventGrid/domains": { domain: "privatelink.eventgrid.azure.net" },
  "Microsoft.EventGrid/namespaces": {
    topic: "privatelink.eventgrid.azure.net",
    topicspace: "privatelink.ts.eventgrid.azure.net",
  },
};

const PRIVATE_ENDPOINT_TYPE = "Microsoft.Network/privateEndpoints";
const SUBNET_TYPE = "Microsoft.Network/virtualNetworks/subnets";
const INTERFACE_TYPE = "Microsoft.Network/networkInterfaces";

/** The lists of a private endpoint's connections. Both kinds are approved at once. */
const connectionLists = ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"];

const APPROVED = { status: "Approved", description: "", actionsRequired: "None" };

/** A type with its private links and the connections of private endpoints. */
export function withPrivateLinks(resources: Resources, parents: ResourceType): ResourceType[] {
  const { type } = parents;
  /** Children that are computed from their parent. */
  const children = (
    name: string,
    childrenOf: (parent: string) => Resource[],
    more: Partial<ResourceType>,
  ): ResourceType => ({
    type: `${type}/${name}`,
    ...eventGridType,
    read: {
      get: (id) =>
        resources.get(parentOf(id)) &&
        childrenOf(parentOf(id)).find((each) => sameScope(each.id, id)),
    },
    list: (parent) => {
      if (!resources.get(parent)) throw resourceNotFound(parent);
      return childrenOf(parent);
    },
    show: shownPlainly,
    ...more,
  });
  return [
    {
      ...parents,
      computed: (resource, origin) => {
        const privateEndpointConnections = connectionsTo(resources, resource.id);
        return {
          ...parents.computed?.(resource, origin),
          ...(privateEndpointConnections.length > 0 && {
            privateEndpointConnections: privateEndpointConnections.map(shownPlainly),
          }),
        };
      },
    },
    children("privateLinkResources", (parent) => linksOf(parent, type), { methods: ["GET"] }),
    children("privateEndpointConnections", (parent) => connectionsTo(resources, parent), {
      methods: ["GET", "PUT", "DELETE"],
      // Private endpoints create connections; a write can only approve an existing one.
      notFound: (id) => serviceError.ResourceNotFound(connectionMissing(id)),
      onWrite: ({ id, body }, { before }) => {
        if (!before) throw invalidRequest(connectionMissing(id));
        const { status } = objectAt(propertiesIn(body), "privateLinkServiceConnectionState");
        if (asText(status).toLowerCase() === "approved") return before;
        throw invalidRequest(
          `The local Azure approves all connections of private endpoints, and none can be '${asText(status)}'. Delete the private endpoint instead.`,
        );
      },
      onDelete: ({ name }) => {
        throw invalidRequest(
          `The local Azure keeps the connection '${name}' as long as its private endpoint exists. Delete the private endpoint instead.`,
        );
      },
    }),
  ];
}

function connectionMissing(id: string): string {
  return `PrivateEndpointConnection with id ${nameIn(id)} does not exist.`;
}

function linksOf(parent: string, type: string): Resource[] {
  return Object.entries(privateLinkGroups[type] ?? {}).map(([group, zone]) => {
    const properties = {
      groupId: group,
      displayName: `Event Grid ${group}`,
      requiredMembers: [group],
      requiredZoneNames: [zone],
    };
    const id = `${parent}/privateLinkResources/${group}`;
    return resourceAt(id, `${type}/privateLinkResources`, { properties });
  });
}

/** The connections of private endpoints to a resource, as that resource shows them. */
function connectionsTo(resources: Resources, parent: string): Resource[] {
  const type = resources.get(parent)?.type;
  return privateEndpoints(resources).flatMap(({ id, name, body }) =>
    connectionsIn(body)
      .filter((each) => sameScope(targetOf(each), parent))
      .map((each) => {
        const properties = {
          privateEndpoint: { id },
          groupIds: listAt(propertiesIn(each), "groupIds"),
          privateLinkServiceConnectionState: APPROVED,
          provisioningState: "Succeeded",
        };
        const connection = `${parent}/privateEndpointConnections/${name}.${stableUuid(id)}`;
        return resourceAt(connection, `${type}/privateEndpointConnections`, { properties });
      }),
  );
}

/** A private endpoint whose connections are approved. */
function approved(endpoint: Resource): Resource {
  const properties = propertiesIn(endpoint.body);
  const lists = connectionLists.map((list) => [
    list,
    listAt(properties, list).map((each) => {
      const state = {
        privateLinkServiceConnectionState: APPROVED,
        provisioningState: "Succeeded",
      };
      const id = `${endpoint.id}/privateLinkServiceConnections/${textAt(each, "name")}`;
      return { ...withProperties(each, state), id };
    }),
  ]);
  return { ...endpoint, body: withProperties(endpoint.body, Object.fromEntries(lists)) };
}

function withProperties(value: unknown, changed: object) {
  return { ...objectAt(value), properties: { ...propertiesIn(value), ...changed } };
}

/** Resource ID of what a connection leads to. */
function targetOf(connection: unknown): string {
  return textAt(propertiesIn(connection), "privateLinkServiceId") ?? "/";
}

function privateEndpoints(resources: Resources): Resource[] {
  return resources.store.list().filter(({ type }) => type === PRIVATE_ENDPOINT_TYPE);
}

/** The connections of a private endpoint, manual ones last. */
function connectionsIn(body: Resource["body"]): unknown[] {
  return connectionLists.flatMap((list) => listAt(propertiesIn(body), list));
}

/**
 * Private endpoints with their network interfaces and DNS zone groups. There is no network behind
 * them: requests reach topics and namespaces of this machine with or without a private endpoint.
 * Subnets of groups that are not here, and DNS zones, need not exist.
 */
export function privateEndpointTypes(resources: Resources): ResourceType[] {
  return [
    {
      type: PRIVATE_ENDPOINT_TYPE,
      location: "region",
      onWrite: (written, { before }) => {
        checkSubnet(written);
        for (const connection of connectionsIn(written.body)) checkTarget(connection, written);
        const created = networkInterface(written, addressFor(resources, written, before));
        if (before) resources.store.delete(networkInterfaceOf(before));
        resources.store.put(created);
        return approved(written);
      },
      onDelete: (endpoint) => {
        resources.store.delete(networkInterfaceOf(endpoint));
      },
      properties: () => ({ ipConfigurations: [], customNetworkInterfaceName: "" }),
      computed: (endpoint) => ({
        networkInterfaces: [{ id: networkInterfaceOf(endpoint) }],
        customDnsConfigs: hostsOf(resources, endpoint).map((fqdn) => ({
          fqdn,
          ipAddresses: addressesOf(resources, endpoint),
        })),
      }),
    },
    {
      type: `${PRIVATE_ENDPOINT_TYPE}/privateDnsZoneGroups`,
      computed: ({ id, body }) => {
        const endpoint = resources.get(parentOf(id));
        const recordSets = endpoint
          ? hostsOf(resources, endpoint).map((fqdn) =>
              record(fqdn, addressesOf(resources, endpoint)),
            )
          : [];
        const configs = listAt(propertiesIn(body), "privateDnsZoneConfigs");
        return {
          privateDnsZoneConfigs: configs.map((each) => withProperties(each, { recordSets })),
        };
      },
    },
    { type: INTERFACE_TYPE, methods: ["GET"] },
  ];

  /** @throws ServiceError 400 for an endpoint without a subnet or without one connection */
  function checkSubnet({ id, body }: Resource): void {
    const subnet = textOrEmpty(propertiesIn(body), "subnet", "id");
    const connections = connectionsIn(body);
    const isWhole = connections.every((each) => textAt(each, "name") && targetOf(each) !== "/");
    if (connections.length !== 1 || !isWhole || !isOfType(subnet, SUBNET_TYPE)) {
      throw serviceError.InvalidRequestFormat(
        `The private endpoint ${id} needs a subnet and one connection with a name and a privateLinkServiceId, but has the subnet '${subnet}' and ${connections.length} connections.`,
      );
    }
    if (resources.hasGroupOf(subnet) && !resources.get(subnet)) throw notReferenced(subnet, id);
  }

  /** @throws ServiceError 400 for a resource of Event Grid that does not exist, or a wrong group */
  function checkTarget(connection: unknown, { id }: Resource): void {
    const target = targetOf(connection);
    const found = Object.entries(privateLinkGroups).find(([type]) =>
      sameText(typeOf(target), type),
    );
    if (found === undefined) return;
    const groups = Object.keys(found[1]);
    if (!resources.get(target)) {
      throw notReferenced(target, id);
    }
    const [group, ...others] = listAt(propertiesIn(connection), "groupIds");
    if (others.length === 0 && groups.includes(asText(group))) return;
    throw invalidRequest(
      `A private endpoint of ${target} must have one group ID: ${groups.join(" or ")}, not ${JSON.stringify(field(propertiesIn(connection), "groupIds"))}.`,
    );
  }
}

function notReferenced(target: string, id: string): ServiceError {
  return serviceError.InvalidResourceReference(
    `Resource ${target} referenced by resource ${id} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  );
}

function networkInterfaceOf({ id, name, body }: Resource): string {
  const custom = textAt(propertiesIn(body), "customNetworkInterfaceName");
  const group = groupOf(id);
  return `${group}/providers/${INTERFACE_TYPE}/${custom || `${name}.nic.${stableUuid(id)}`}`;
}

function networkInterface(endpoint: Resource, privateIPAddress: string): Resource {
  const properties = {
    privateIPAddress,
    privateIPAllocationMethod: "Dynamic",
    subnet: field(propertiesIn(endpoint.body), "subnet"),
    primary: true,
  };
  const body = {
    properties: {
      ipConfigurations: [{ name: "privateEndpointIpConfig", properties }],
      privateEndpoint: { id: endpoint.id },
    },
  };
  return resourceAt(networkInterfaceOf(endpoint), INTERFACE_TYPE, body, endpoint.location);
}

/** The address of the endpoint's interface, as a list. */
function addressesOf({ store }: Resources, endpoint: Resource): string[] {
  const created = store.get(networkInterfaceOf(endpoint));
  return listAt(propertiesIn(created?.body), "ipConfigurations").map((each) =>
    asText(field(propertiesIn(each), "privateIPAddress")),
  );
}

/** @throws ServiceError 400 for an address that the endpoint cannot have, and in a full subnet */
function addressFor(
  resources: Resources,
  endpoint: Resource,
  before: Resource | undefined,
): string {
  const subnetId = subnetOf(endpoint);
  const isIn = (each: Resource) => sameScope(subnetOf(each), subnetId);
  const others = privateEndpoints(resources).filter(
    (each) => !sameScope(each.id, endpoint.id) && isIn(each),
  );
  const [configuration] = listAt(propertiesIn(endpoint.body), "ipConfigurations");
  const [kept] = before && isIn(before) ? addressesOf(resources, before) : [];
  return addressIn(subnetId, resources.get(subnetId)?.body, {
    written: textAt(propertiesIn(configuration), "privateIPAddress") || undefined,
    kept,
    taken: new Set(others.flatMap((each) => addressesOf(resources, each))),
  });
}

const subnetOf = ({ body }: Resource) => textOrEmpty(propertiesIn(body), "subnet", "id");

/** The hosts of the topics and namespaces that an endpoint connects to. */
function hostsOf(resources: Resources, { body }: Resource): string[] {
  return connectionsIn(body).flatMap((connection) => {
    const target = resources.get(targetOf(connection));
    const isOurs = target !== undefined && Object.hasOwn(privateLinkGroups, target.type);
    return isOurs ? [`${target.name}.${target.location}-1.eventgrid.azure.net`] : [];
  });
}

function record(fqdn: string, ipAddresses: readonly string[]) {
  return {
    recordType: "A",
    recordSetName: fqdn.split(".").slice(0, 2).join("."),
    fqdn,
    ttl: 10,
    ipAddresses,
    provisioningState: "Succeeded",
  };
}
