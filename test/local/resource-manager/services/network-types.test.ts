import { describe, expect, it } from "vitest";
import { GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

const NETWORK = `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop`;
const ZONE = `${GROUP}/providers/Microsoft.Network/privateDnsZones/privatelink.eventgrid.azure.net`;
const WORKSPACE = `${GROUP}/providers/Microsoft.OperationalInsights/workspaces/shop`;
const text = expect.any(String);

describe("a virtual network", () => {
  const network = (subnets?: readonly object[]) => ({
    location: "westeurope",
    properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, ...(subnets && { subnets }) },
  });
  const subnet = (name: string, addressPrefix: string) => ({ name, properties: { addressPrefix } });
  const one = subnet("one", "10.0.1.0/24");
  const two = subnet("two", "10.0.2.0/24");

  it("shows the subnets that it was written with, and those that were created in it", async () => {
    const { call } = await startGroup();
    await call("PUT", NETWORK, network([one]));
    await call("PUT", `${NETWORK}/subnets/two`, { properties: two.properties });
    const subnets = [one, two].map((each) => ({
      ...each,
      id: `${NETWORK}/subnets/${each.name}`,
      type: "Microsoft.Network/virtualNetworks/subnets",
      properties: {
        ...each.properties,
        delegations: [],
        privateEndpointNetworkPolicies: "Disabled",
        privateLinkServiceNetworkPolicies: "Enabled",
        provisioningState: "Succeeded",
      },
    }));
    expect(Object((await call("GET", NETWORK)).body).properties).toEqual({
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets,
      resourceGuid: text,
      privateEndpointVNetPolicies: "Disabled",
      enableDdosProtection: false,
      virtualNetworkPeerings: [],
      provisioningState: "Succeeded",
    });
    expect((await call("GET", `${NETWORK}/subnets`)).body).toMatchObject({ value: subnets });
  });

  it("keeps its subnets in a write that names none, and otherwise those that are named", async () => {
    const { call } = await startGroup();
    await call("PUT", NETWORK, network([one, two]));
    const { body } = await call("PUT", NETWORK, network());
    expect(body).toMatchObject({ properties: { subnets: [one, two] } });
    await call("PUT", NETWORK, network([two]));
    expect((await call("GET", NETWORK)).body).toMatchObject({ properties: { subnets: [two] } });
    expect((await call("GET", `${NETWORK}/subnets/one`)).status).toBe(404);
    expect((await call("DELETE", NETWORK)).status).toBe(200);
    expect((await call("GET", `${NETWORK}/subnets/two`)).status).toBe(404);
  });

  it.each<[readonly string[], string, string | undefined]>([
    [["10.0.0.0/16"], "10.0.0.0/16", undefined],
    [["10.0.0.0/16", "fd00::/48"], "fd00::/64", undefined],
    [["10.0.0.0/16"], "10.0.0.0/15", "NetcfgSubnetRangeOutsideVnet"],
    [["10.0.0.0/16"], "10.1.0.0/24", "NetcfgSubnetRangeOutsideVnet"],
    [["10.0.0.0/16"], "fd00::/64", "NetcfgSubnetRangeOutsideVnet"],
    [["10.0.0.0/16"], "10.0.1.0", "InvalidAddressPrefixFormat"],
    [["10.0.0.0/16"], "10.0.1.0/33", "InvalidAddressPrefixFormat"],
  ])("has the addresses %j, and a subnet %s: %s", async (addressPrefixes, prefix, code) => {
    const { call } = await startGroup();
    const properties = { addressSpace: { addressPrefixes } };
    await call("PUT", NETWORK, { location: "westeurope", properties });
    const written = { properties: { addressPrefixes: [prefix] } };
    const answer = await call("PUT", `${NETWORK}/subnets/one`, written);
    expect(answer).toMatchObject(code ? refusal(400, code) : { status: 201 });
  });

  it("has no subnets that overlap, and may change one in its place", async () => {
    const { call } = await startGroup();
    await call("PUT", NETWORK, network([one, two]));
    const put = (name: string, addressPrefix: string) =>
      call("PUT", `${NETWORK}/subnets/${name}`, { properties: { addressPrefix } });
    for (const prefix of ["10.0.1.0/24", "10.0.1.128/25", "10.0.0.0/22"]) {
      expect(await put("three", prefix)).toMatchObject(refusal(400, "NetcfgSubnetRangesOverlap"));
    }
    expect((await put("one", "10.0.1.0/25")).status).toBe(200);
    expect((await put("three", "10.0.1.128/25")).status).toBe(201);
  });

  it("is refused without addresses, and so is a subnet of it, which also needs a name", async () => {
    const { call } = await startGroup();
    const refused = refusal(400, "NoAddressPrefixOrPoolProvided");
    const bare = { name: "bare", properties: {} };
    expect(await call("PUT", NETWORK, { location: "westeurope" })).toMatchObject(refused);
    expect(await call("PUT", NETWORK, network([one, bare]))).toMatchObject(refused);
    expect((await call("GET", `${NETWORK}/subnets/one`)).status).toBe(404);
    expect(await call("PUT", NETWORK, network([{ properties: one.properties }]))).toMatchObject(
      refusal(400, "InvalidRequestFormat"),
    );
    await call("PUT", NETWORK, network());
    expect(await call("PUT", `${NETWORK}/subnets/bare`, bare)).toMatchObject(refused);
  });
});

describe("a private DNS zone", () => {
  const link = { location: "global", properties: { virtualNetwork: { id: NETWORK } } };

  it("is global, and has an SOA record and links to networks", async () => {
    const { call } = await startGroup();
    await call("PUT", ZONE, { location: "global" });
    await call("PUT", `${ZONE}/virtualNetworkLinks/shop`, link);
    const registering = { ...link.properties, registrationEnabled: true };
    const second = { location: "global", properties: registering };
    await call("PUT", `${ZONE}/virtualNetworkLinks/registering`, second);
    const provisioningState = "Succeeded";
    const { location, properties } = Object((await call("GET", ZONE)).body);
    expect([location, properties]).toEqual([
      "global",
      {
        maxNumberOfRecordSets: 25_000,
        maxNumberOfVirtualNetworkLinks: 1_000,
        maxNumberOfVirtualNetworkLinksWithRegistration: 100,
        numberOfRecordSets: 1,
        numberOfVirtualNetworkLinks: 2,
        numberOfVirtualNetworkLinksWithRegistration: 1,
        provisioningState,
      },
    ]);
    const defaults = {
      registrationEnabled: false,
      resolutionPolicy: "Default",
      virtualNetworkLinkState: "Completed",
      provisioningState,
    };
    expect((await call("GET", `${ZONE}/virtualNetworkLinks`)).body).toMatchObject({
      value: [
        { name: "shop", location: "global", properties: { ...link.properties, ...defaults } },
        { name: "registering", location: "global", properties: { ...defaults, ...registering } },
      ],
    });
    expect(Object((await call("GET", `${ZONE}/SOA/@`)).body).properties).toEqual({
      fqdn: "privatelink.eventgrid.azure.net.",
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
      provisioningState,
    });
    await call("DELETE", ZONE);
    expect((await call("GET", `${ZONE}/virtualNetworkLinks/shop`)).status).toBe(404);
  });

  it("is needed by a link, which names a network", async () => {
    const { call } = await startGroup();
    const id = `${ZONE}/virtualNetworkLinks/shop`;
    expect(await call("PUT", id, link)).toMatchObject(refusal(404, "ParentResourceNotFound"));
    await call("PUT", ZONE, { location: "global" });
    expect(await call("PUT", id, { location: "global" })).toMatchObject(refusal(400, "BadRequest"));
  });
});

it("a Log Analytics workspace has keys, and none that was deleted", async () => {
  const { call } = await startGroup();
  await call("PUT", WORKSPACE, { location: "westeurope" });
  const key = expect.stringMatching(/^[\w+/]{86}==$/);
  expect((await call("POST", `${WORKSPACE}/sharedKeys`)).body).toEqual({
    ...{ primarySharedKey: key, secondarySharedKey: key },
  });
  const deleted = `${SUBSCRIPTION}/providers/Microsoft.OperationalInsights/deletedWorkspaces`;
  expect((await call("GET", deleted)).body).toEqual({ value: [] });
});
