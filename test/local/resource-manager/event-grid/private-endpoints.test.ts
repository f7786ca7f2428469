import { expect, it } from "vitest";
import { GROUP, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const ENDPOINT = `${NETWORK}/privateEndpoints/shop`;
const TOPIC = `${EVENT_GRID}/topics/orders`;
const location = "westeurope";
const elsewhere = `${GROUP}-2/providers/Microsoft.Network/virtualNetworks/a/subnets/b`;
const APPROVED = { status: "Approved", description: "", actionsRequired: "None" };
const provisioningState = "Succeeded";

const connection = (privateLinkServiceId: string, ...groupIds: string[]) => ({
  name: "one",
  properties: { privateLinkServiceId, groupIds },
});
const endpoint = (properties: object) => ({
  location,
  properties: { subnet: { id: elsewhere }, ...properties },
});

async function start() {
  const { call } = await startGroup();
  for (const type of ["topics", "domains", "namespaces"]) {
    await call("PUT", `${EVENT_GRID}/${type}/orders`, { location });
  }
  const shown = async (id: string) => Object((await call("GET", id)).body);
  return { call, shown };
}

it("a private endpoint is connected at once, with an interface and DNS records", async () => {
  const { call, shown } = await start();
  const written = connection(TOPIC, "topic");
  const properties = { manualPrivateLinkServiceConnections: [written] };
  expect((await call("PUT", ENDPOINT, endpoint(properties))).status).toBe(201);
  const { properties: own, ...rest } = await shown(ENDPOINT);
  expect(rest).toEqual({
    ...{ id: ENDPOINT, name: "shop", type: "Microsoft.Network/privateEndpoints", location },
    tags: {},
  });
  const nic = own.networkInterfaces[0].id;
  expect(nic).toMatch(
    /\/providers\/Microsoft\.Network\/networkInterfaces\/shop\.nic\.[\da-f-]{36}$/,
  );
  const fqdn = "orders.westeurope-1.eventgrid.azure.net";
  const address = "10.0.0.4";
  expect(own).toEqual({
    subnet: { id: elsewhere },
    privateLinkServiceConnections: [],
    manualPrivateLinkServiceConnections: [
      {
        id: `${ENDPOINT}/privateLinkServiceConnections/one`,
        name: "one",
        properties: {
          ...written.properties,
          privateLinkServiceConnectionState: APPROVED,
          provisioningState,
        },
      },
    ],
    ...{ ipConfigurations: [], customNetworkInterfaceName: "" },
    networkInterfaces: [{ id: nic }],
    customDnsConfigs: [{ fqdn, ipAddresses: [address] }],
    provisioningState,
  });
  expect((await shown(nic)).properties).toEqual({
    ipConfigurations: [
      {
        name: "privateEndpointIpConfig",
        properties: {
          privateIPAddress: address,
          privateIPAllocationMethod: "Dynamic",
          subnet: { id: elsewhere },
          primary: true,
        },
      },
    ],
    privateEndpoint: { id: ENDPOINT },
    provisioningState,
  });
  const zone = { name: "zone", properties: { privateDnsZoneId: "/zone" } };
  const zones = { properties: { privateDnsZoneConfigs: [zone] } };
  await call("PUT", `${ENDPOINT}/privateDnsZoneGroups/default`, zones);
  const recordSet = { recordType: "A", recordSetName: "orders.westeurope-1", fqdn, ttl: 10 };
  expect((await shown(`${ENDPOINT}/privateDnsZoneGroups/default`)).properties).toEqual({
    privateDnsZoneConfigs: [
      {
        name: "zone",
        properties: {
          privateDnsZoneId: "/zone",
          recordSets: [{ ...recordSet, ipAddresses: [address], provisioningState }],
        },
      },
    ],
    provisioningState,
  });
  const list = await shown(`${TOPIC}/privateEndpointConnections`);
  const [own1] = list.value;
  expect(own1).toEqual({
    id: `${TOPIC}/privateEndpointConnections/${own1.name}`,
    name: expect.stringMatching(/^shop\.[\da-f-]{36}$/),
    type: "Microsoft.EventGrid/topics/privateEndpointConnections",
    properties: {
      privateEndpoint: { id: ENDPOINT },
      groupIds: ["topic"],
      privateLinkServiceConnectionState: APPROVED,
      provisioningState,
    },
  });
  expect(await shown(own1.id)).toEqual(own1);
  expect((await shown(TOPIC)).properties.privateEndpointConnections).toEqual([own1]);
  expect((await shown(TOPIC.replace("topics", "domains"))).properties).not.toHaveProperty(
    "privateEndpointConnections",
  );
});

it("a private endpoint may name its address and its interface", async () => {
  const { call, shown } = await start();
  const privateIPAddress = "10.0.1.9";
  const properties = {
    privateLinkServiceConnections: [connection(TOPIC, "topic")],
    ipConfigurations: [{ name: "a", properties: { privateIPAddress } }],
    customNetworkInterfaceName: "nic-of-shop",
  };
  await call("PUT", ENDPOINT, endpoint(properties));
  const { customDnsConfigs, networkInterfaces } = (await shown(ENDPOINT)).properties;
  expect(customDnsConfigs).toMatchObject([{ ipAddresses: [privateIPAddress] }]);
  expect(networkInterfaces).toEqual([{ id: `${NETWORK}/networkInterfaces/nic-of-shop` }]);
});

it.each([{ addressPrefix: "10.0.1.8/29" }, { addressPrefixes: ["fd00::/64", "10.0.1.8/29"] }])(
  "private endpoints take the free addresses of their subnet, without its first four and its last: %j",
  async (prefixes) => {
    const { call, shown } = await start();
    const network = `${NETWORK}/virtualNetworks/shop`;
    const subnets = [{ name: "one", properties: prefixes }];
    const addressSpace = { addressPrefixes: ["fd00::/48", "10.0.0.0/16"] };
    await call("PUT", network, { location, properties: { addressSpace, subnets } });
    const put = (name: string, privateIPAddress?: string) =>
      call("PUT", `${NETWORK}/privateEndpoints/${name}`, {
        location,
        properties: {
          subnet: { id: `${network}/subnets/one` },
          privateLinkServiceConnections: [connection(TOPIC, "topic")],
          ...(privateIPAddress && { ipConfigurations: [{ properties: { privateIPAddress } }] }),
        },
      });
    const addressOf = async (name: string) =>
      (await shown(`${NETWORK}/privateEndpoints/${name}`)).properties.customDnsConfigs[0]
        .ipAddresses;
    for (const name of ["a", "b"]) expect((await put(name)).status).toBe(201);
    for (const [wanted, code] of [
      ["10.0.1.7", "PrivateIPAddressNotInSubnet"],
      ["10.0.1.16", "PrivateIPAddressNotInSubnet"],
      ["10.0.1.11", "PrivateIPAddressInReservedRange"],
      ["10.0.1.15", "PrivateIPAddressInReservedRange"],
      ["10.0.1.13", "PrivateIPAddressIsAllocated"],
    ] as const) {
      expect(await put("c", wanted)).toMatchObject(refusal(400, code));
    }
    expect((await put("c", "10.0.1.14")).status).toBe(201);
    expect(await put("d")).toMatchObject(refusal(400, "SubnetIsFull"));
    const { id: nic } = (await shown(`${NETWORK}/privateEndpoints/a`)).properties
      .networkInterfaces[0];
    await call("DELETE", `${NETWORK}/privateEndpoints/a`);
    expect((await call("GET", nic)).status).toBe(404);
    for (const name of ["b", "d"]) expect((await put(name)).status).toBeLessThan(300);
    expect(await Promise.all(["b", "c", "d"].map(addressOf))).toEqual(
      ["10.0.1.13", "10.0.1.14", "10.0.1.12"].map((each) => [each]),
    );
  },
);

/** https://learn.microsoft.com/azure/event-grid/configure-private-endpoints */
it.each([
  ["topics", [["topic", "privatelink.eventgrid.azure.net"]]],
  ["domains", [["domain", "privatelink.eventgrid.azure.net"]]],
  [
    "namespaces",
    [
      ["topic", "privatelink.eventgrid.azure.net"],
      ["topicspace", "privatelink.ts.eventgrid.azure.net"],
    ],
  ],
])("the private links of %s are %j, of which a connection names one", async (type, groups) => {
  const { call, shown } = await start();
  const target = `${EVENT_GRID}/${type}/orders`;
  const value = groups.map(([groupId, zone]) => ({
    id: `${target}/privateLinkResources/${groupId}`,
    name: groupId,
    type: `Microsoft.EventGrid/${type}/privateLinkResources`,
    properties: {
      groupId,
      displayName: `Event Grid ${groupId}`,
      requiredMembers: [groupId],
      requiredZoneNames: [zone],
    },
  }));
  expect(await shown(`${target}/privateLinkResources`)).toEqual({ value });
  const put = (...groupIds: string[]) => {
    const privateLinkServiceConnections = [connection(target, ...groupIds)];
    return call("PUT", ENDPOINT, endpoint({ privateLinkServiceConnections }));
  };
  for (const [name = ""] of groups) expect((await put(name)).status).toBeLessThan(300);
  for (const groupIds of [[], ["other"], [groups[0]?.[0] ?? "", "other"]]) {
    expect(await put(...groupIds)).toMatchObject(
      refusal(400, "InvalidRequest", expect.stringContaining("must have one group ID")),
    );
  }
});

it.each<[object, string]>([
  [{ privateLinkServiceConnections: [connection(TOPIC, "topic"), connection(TOPIC, "topic")] }, ""],
  [{ privateLinkServiceConnections: [{ properties: connection(TOPIC, "topic").properties }] }, ""],
  [{ privateLinkServiceConnections: [{ name: "one", properties: {} }] }, ""],
  [{ privateLinkServiceConnections: [connection(TOPIC, "topic")], subnet: { id: TOPIC } }, ""],
  [{ privateLinkServiceConnections: [connection(`${TOPIC}2`, "topic")] }, `${TOPIC}2`],
  [
    {
      privateLinkServiceConnections: [connection(TOPIC, "topic")],
      subnet: { id: elsewhere.replace("shop-2", "shop") },
    },
    elsewhere.replace("shop-2", "shop"),
  ],
])("a private endpoint is refused with %j", async (properties, missing) => {
  const { call } = await start();
  const refused = missing
    ? refusal(400, "InvalidResourceReference", expect.stringContaining(`Resource ${missing} ref`))
    : refusal(400, "InvalidRequestFormat");
  expect(await call("PUT", ENDPOINT, endpoint(properties))).toMatchObject(refused);
});
