import { describe, expect, it } from "vitest";
import { GROUP, startGroup } from "../../support/cloud.js";
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
      properties: { ...each.properties, privateEndpointNetworkPolicies: "Disabled" },
    }));
    expect((await call("GET", NETWORK)).body).toMatchObject({
      properties: { subnets, resourceGuid: text, privateEndpointVNetPolicies: "Disabled" },
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
    expect((await call("GET", ZONE)).body).toMatchObject({
      location: "global",
      properties: {
        numberOfRecordSets: 1,
        maxNumberOfRecordSets: 25_000,
        numberOfVirtualNetworkLinks: 1,
        numberOfVirtualNetworkLinksWithRegistration: 0,
      },
    });
    expect((await call("GET", `${ZONE}/virtualNetworkLinks`)).body).toMatchObject({
      value: [{ name: "shop", ...link }],
    });
    expect((await call("GET", `${ZONE}/SOA/@`)).body).toMatchObject({
      properties: { fqdn: "privatelink.eventgrid.azure.net.", soaRecord: { refreshTime: 3600 } },
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

it("a Log Analytics workspace has an ID of its own, keys, and the settings that nobody wrote", async () => {
  const { cloud, call } = await startGroup();
  await call("PUT", WORKSPACE, { location: "westeurope", properties: { retentionInDays: 60 } });
  expect((await call("GET", WORKSPACE)).body).toMatchObject({
    properties: { customerId: text, retentionInDays: 60, sku: { name: "PerGB2018" } },
  });
  expect((await call("POST", `${WORKSPACE}/sharedKeys`)).body).toEqual({
    primarySharedKey: text,
    secondarySharedKey: text,
  });
  const deleted = `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.OperationalInsights/deletedWorkspaces`;
  expect((await call("GET", deleted)).body).toEqual({ value: [] });
});
