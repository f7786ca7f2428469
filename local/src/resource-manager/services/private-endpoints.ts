import {
  field,
  invalidRequest,
  isObject,
  listAt,
  objectAt,
  parentOf,
  ServiceError,
  sameScope,
  textAt,
} from "../../base/index.js";
import {
  isOfType,
  type Resource,
  type Resources,
  type ResourceType,
  resourceAt,
  stableUuid,
} from "../engine/index.js";
import {
  connectionLists,
  connectionsIn,
  type EventGridState,
  PRIVATE_ENDPOINT_TYPE,
  privateEndpoints,
  privateLinkGroups,
} from "../event-grid/index.js";

const INTERFACE_TYPE = "Microsoft.Network/networkInterfaces";

/**
 * Private endpoints with their network interfaces and DNS zone groups. There is no network behind
 * them: requests reach topics and namespaces of this machine with or without a private endpoint.
 * Subnets and DNS zones need not exist.
 */
export function privateEndpointTypes({ resources }: EventGridState): ResourceType[] {
  return [
    {
      type: PRIVATE_ENDPOINT_TYPE,
      location: "required",
      onWrite: (written, { before }) => {
        for (const connection of connectionsIn(written.body)) checkTarget(connection, written);
        const properties = objectAt(written.body, "properties");
        const lists = Object.entries(connectionLists).map(([list, status]) => [
          list,
          listAt(properties, list).map((each) => withState(written.id, each, before, status)),
        ]);
        const connected = { ...properties, ...Object.fromEntries(lists) };
        return { ...written, body: { ...written.body, properties: connected } };
      },
      properties: () => ({ ipConfigurations: [], customNetworkInterfaceName: "" }),
      computed: (endpoint) => ({
        networkInterfaces: [{ id: networkInterfaceOf(endpoint) }],
        customDnsConfigs: hostsOf(resources, endpoint).map((fqdn) => ({
          fqdn,
          ipAddresses: [addressOf(endpoint)],
        })),
      }),
    },
    {
      type: `${PRIVATE_ENDPOINT_TYPE}/privateDnsZoneGroups`,
      computed: ({ id, body }) => {
        const endpoint = resources.get(parentOf(id));
        return {
          privateDnsZoneConfigs: listAt(body, "properties", "privateDnsZoneConfigs").map(
            (config) => ({
              ...objectAt(config),
              properties: {
                ...objectAt(config, "properties"),
                recordSets: endpoint
                  ? hostsOf(resources, endpoint).map((fqdn) => record(endpoint, fqdn))
                  : [],
              },
            }),
          ),
        };
      },
    },
    {
      type: INTERFACE_TYPE,
      methods: ["GET"],
      read: {
        get: (id) => {
          const endpoint = privateEndpoints(resources).find((each) =>
            sameScope(networkInterfaceOf(each), id),
          );
          return endpoint && networkInterface(endpoint);
        },
      },
    },
  ];

  /** @throws ServiceError 400 for a resource of Event Grid that does not exist, or a wrong group */
  function checkTarget(connection: unknown, { id }: Resource): void {
    const target = textAt(connection, "properties", "privateLinkServiceId") ?? "";
    const type = Object.keys(privateLinkGroups).find((each) => isOfType(target, each));
    if (type === undefined) return;
    if (!resources.get(target)) {
      throw new ServiceError(
        400,
        "InvalidResourceReference",
        `Resource ${target} referenced by resource ${id} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
      );
    }
    const groups = Object.keys(privateLinkGroups[type] ?? {});
    const [group, ...others] = listAt(connection, "properties", "groupIds");
    if (others.length === 0 && groups.includes(String(group))) return;
    throw invalidRequest(
      `A private endpoint of ${target} must have one group ID: ${groups.join(" or ")}, not ${JSON.stringify(field(connection, "properties", "groupIds"))}.`,
    );
  }
}

/** A written connection with its state: the stored one, or that of a new connection. */
function withState(id: string, connection: unknown, before: Resource | undefined, status: string) {
  const name = textAt(connection, "name") ?? "";
  const stored = before && connectionsIn(before.body).find((each) => field(each, "name") === name);
  const known = field(stored, "properties", "privateLinkServiceConnectionState");
  const message = textAt(connection, "properties", "requestMessage");
  const description = (status === "Pending" && message) || "";
  return {
    ...objectAt(connection),
    id: `${id}/privateLinkServiceConnections/${name}`,
    properties: {
      ...objectAt(connection, "properties"),
      privateLinkServiceConnectionState: isObject(known)
        ? known
        : { status, description, actionsRequired: "None" },
      provisioningState: "Succeeded",
    },
  };
}

function networkInterfaceOf({ id, name, body }: Resource): string {
  const custom = textAt(body, "properties", "customNetworkInterfaceName");
  const group = id.split("/").slice(0, 5).join("/");
  return `${group}/providers/${INTERFACE_TYPE}/${custom || `${name}.nic.${stableUuid(id)}`}`;
}

function networkInterface(endpoint: Resource): Resource {
  const properties = {
    privateIPAddress: addressOf(endpoint),
    privateIPAllocationMethod: "Dynamic",
    subnet: field(endpoint.body, "properties", "subnet"),
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

/** The written address, or one that is always the same for the endpoint. */
function addressOf({ id, body }: Resource): string {
  const [configuration] = listAt(body, "properties", "ipConfigurations");
  const written = textAt(configuration, "properties", "privateIPAddress");
  // A subnet's first addresses are Azure's own.
  return written || `10.0.0.${4 + (Number.parseInt(stableUuid(id).slice(0, 4), 16) % 250)}`;
}

/** The hosts of the topics and namespaces that an endpoint connects to. */
function hostsOf(resources: Resources, { body }: Resource): string[] {
  return connectionsIn(body).flatMap((connection) => {
    const target = resources.get(textAt(connection, "properties", "privateLinkServiceId") ?? "");
    const isOurs = target !== undefined && Object.hasOwn(privateLinkGroups, target.type);
    return isOurs ? [`${target.name}.${target.location}-1.eventgrid.azure.net`] : [];
  });
}

function record(endpoint: Resource, fqdn: string) {
  return {
    recordType: "A",
    recordSetName: fqdn.split(".").slice(0, 2).join("."),
    fqdn,
    ttl: 10,
    ipAddresses: [addressOf(endpoint)],
    provisioningState: "Succeeded",
  };
}
