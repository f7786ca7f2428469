import { field, listAt, objectAt, parentOf, ServiceError, textAt } from "../../base/index.js";
import {
  type Resource,
  type Resources,
  type ResourceType,
  resourceAt,
  stableUuid,
} from "../engine/index.js";

const NETWORKS = "Microsoft.Network/virtualNetworks";
const SUBNETS = `${NETWORKS}/subnets`;
const ZONES = "Microsoft.Network/privateDnsZones";
const LINKS = `${ZONES}/virtualNetworkLinks`;

/** Zones and links are global, and links show it although they are children. */
const GLOBAL = "global";

const subnetDefaults = {
  delegations: [],
  privateEndpointNetworkPolicies: "Disabled",
  privateLinkServiceNetworkPolicies: "Enabled",
};

/** @throws ServiceError 400 for a network or a subnet without addresses */
function requireAddresses({ name }: Pick<Resource, "name">, kind: string, place: unknown): void {
  const lists = ["addressPrefixes", "ipamPoolPrefixAllocations"];
  if (textAt(place, "addressPrefix") || lists.some((list) => listAt(place, list).length > 0))
    return;
  throw new ServiceError(
    400,
    "NoAddressPrefixOrPoolProvided",
    `The ${kind} '${name}' needs addresses: write addressPrefixes, such as ["10.0.0.0/16"].`,
  );
}

/** @throws ServiceError 400 for a subnet without a name or addresses */
function checkedSubnet(subnet: Resource): Resource {
  if (subnet.name === "") {
    throw new ServiceError(400, "InvalidRequestFormat", "Each subnet of a network needs a name.");
  }
  requireAddresses(subnet, "subnet", field(subnet.body, "properties"));
  return subnet;
}

/** Virtual networks with their subnets, and private DNS zones with their links. No packet passes. */
export function networkTypes(resources: Resources): readonly ResourceType[] {
  const childrenOf = (id: string, type: string) =>
    resources.in(id).filter((each) => each.type === type);
  return [
    {
      type: NETWORKS,
      location: "region",
      // A write that names subnets replaces them, and one that does not keeps them.
      onWrite: (network) => {
        const { subnets, ...properties } = objectAt(network.body, "properties");
        requireAddresses(network, "virtual network", properties.addressSpace);
        if (subnets != null) {
          const written = listAt({ subnets }, "subnets").map((each) => {
            const id = `${network.id}/subnets/${textAt(each, "name") ?? ""}`;
            return checkedSubnet(
              resourceAt(id, SUBNETS, { properties: objectAt(each, "properties") }),
            );
          });
          for (const each of childrenOf(network.id, SUBNETS)) {
            if (!written.some(({ name }) => name === each.name)) resources.remove(each);
          }
          for (const each of written) resources.store.put(each);
        }
        return { ...network, body: { ...network.body, properties } };
      },
      properties: ({ id }) => ({
        resourceGuid: stableUuid(id),
        privateEndpointVNetPolicies: "Disabled",
        enableDdosProtection: false,
        virtualNetworkPeerings: [],
      }),
      computed: ({ id }) => ({
        subnets: childrenOf(id, SUBNETS).map(({ body, ...subnet }) => ({
          id: subnet.id,
          name: subnet.name,
          type: SUBNETS,
          properties: {
            ...subnetDefaults,
            ...objectAt(body, "properties"),
            provisioningState: "Succeeded",
          },
        })),
      }),
    },
    { type: SUBNETS, onWrite: checkedSubnet, properties: () => subnetDefaults },
    {
      type: ZONES,
      location: GLOBAL,
      properties: () => ({
        maxNumberOfRecordSets: 25_000,
        maxNumberOfVirtualNetworkLinks: 1_000,
        maxNumberOfVirtualNetworkLinksWithRegistration: 100,
      }),
      computed: ({ id }) => {
        const links = childrenOf(id, LINKS);
        const registering = links.filter((each) =>
          field(each.body, "properties", "registrationEnabled"),
        );
        return {
          numberOfRecordSets: 1,
          numberOfVirtualNetworkLinks: links.length,
          numberOfVirtualNetworkLinksWithRegistration: registering.length,
        };
      },
      defaults: { "SOA/@": {} },
    },
    {
      type: `${ZONES}/SOA`,
      properties: ({ id }) => ({
        fqdn: `${parentOf(id).split("/").at(-1)}.`,
        ttl: 3600,
        isAutoRegistered: false,
        soaRecord: {
          email: "azureprivatedns-host.microsoft.com",
          host: "azureprivatedns.net",
          expireTime: 2_419_200,
          minimumTtl: 10,
          refreshTime: 3600,
          retryTime: 300,
          serialNumber: 1,
        },
      }),
    },
    {
      type: LINKS,
      location: GLOBAL,
      onWrite: (link) => {
        if (textAt(link.body, "properties", "virtualNetwork", "id")) return link;
        throw new ServiceError(
          400,
          "BadRequest",
          `The virtual network link '${link.name}' must name a network in properties.virtualNetwork.id.`,
        );
      },
      properties: () => ({
        registrationEnabled: false,
        resolutionPolicy: "Default",
        virtualNetworkLinkState: "Completed",
      }),
      metadata: () => ({ location: GLOBAL }),
    },
  ];
}
