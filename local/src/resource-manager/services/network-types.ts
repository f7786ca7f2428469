import { BlockList, isIPv6 } from "node:net";
import {
  asText,
  field,
  isAddressRange,
  listAt,
  nameIn,
  parentOf,
  propertiesIn,
  sameScope,
  serviceError,
  split,
  textAt,
  textOrEmpty,
} from "../../base/index.js";
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

/** The addresses of a network or a subnet. @throws ServiceError 400 without any, or for another form */
function addressesOf({ name }: Pick<Resource, "name">, kind: string, place: unknown): string[] {
  const prefix = textAt(place, "addressPrefix");
  const prefixes = [...(prefix ? [prefix] : []), ...listAt(place, "addressPrefixes").map(asText)];
  if (prefixes.length === 0 && listAt(place, "ipamPoolPrefixAllocations").length === 0) {
    throw serviceError.NoAddressPrefixOrPoolProvided(
      `The ${kind} '${name}' needs addresses: write addressPrefixes, such as ["10.0.0.0/16"].`,
    );
  }
  const other = prefixes.find((each) => !each.includes("/") || !isAddressRange(each));
  if (other === undefined) return prefixes;
  throw serviceError.InvalidAddressPrefixFormat(
    `The address prefix '${other}' of the ${kind} '${name}' is not in CIDR notation, such as 10.0.0.0/24.`,
  );
}

/**
 * @param others the subnets beside it
 * @throws ServiceError 400 for a subnet without a name or addresses, outside its network, or on the
 * addresses of another one
 */
function checkedSubnet(
  subnet: Resource,
  network: Pick<Resource, "body"> | undefined,
  others: readonly Resource[],
): Resource {
  const { name, id, body } = subnet;
  if (name === "") {
    throw serviceError.InvalidRequestFormat("Each subnet of a network needs a name.");
  }
  const space = listAt(propertiesIn(network?.body), "addressSpace", "addressPrefixes").map(asText);
  const prefixes = addressesOf(subnet, "subnet", field(body, "properties"));
  const isInside = prefixes.every((each) => space.some((range) => contains(range, each)));
  const networkName = nameIn(parentOf(id));
  if (!isInside && space.length > 0) {
    throw serviceError.NetcfgSubnetRangeOutsideVnet(
      `Subnet '${name}' is not valid because its IP address range is outside the IP address range of virtual network '${networkName}'.`,
    );
  }
  const taken = others
    .filter((each) => !sameScope(each.id, id))
    .flatMap((each) => addressesOf(each, "subnet", field(each.body, "properties")));
  const overlaps = (one: string, other: string) => contains(one, other) || contains(other, one);
  if (!prefixes.some((each) => taken.some((other) => overlaps(each, other)))) return subnet;
  throw serviceError.NetcfgSubnetRangesOverlap(
    `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet in virtual network '${networkName}'.`,
  );
}

/** Whether a range of addresses contains another one. */
function contains(range: string, prefix: string): boolean {
  const [start, bits] = split(range, "/");
  const [address, length] = split(prefix, "/");
  const list = new BlockList();
  list.addSubnet(start, Number(bits), familyOf(start));
  return Number(length) >= Number(bits) && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

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
        const { subnets, ...properties } = propertiesIn(network.body);
        addressesOf(network, "virtual network", properties.addressSpace);
        if (subnets != null) {
          const written = listAt({ subnets }, "subnets").map((each) => {
            const id = `${network.id}/subnets/${textOrEmpty(each, "name")}`;
            return resourceAt(id, SUBNETS, { properties: propertiesIn(each) });
          });
          for (const each of written) checkedSubnet(each, network, written);
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
            ...propertiesIn(body),
            provisioningState: "Succeeded",
          },
        })),
      }),
    },
    {
      type: SUBNETS,
      onWrite: (subnet) => {
        const network = parentOf(subnet.id);
        return checkedSubnet(subnet, resources.get(network), childrenOf(network, SUBNETS));
      },
      properties: () => subnetDefaults,
    },
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
          field(propertiesIn(each.body), "registrationEnabled"),
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
        fqdn: `${nameIn(parentOf(id))}.`,
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
        if (textAt(propertiesIn(link.body), "virtualNetwork", "id")) return link;
        throw serviceError.BadRequest(
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
