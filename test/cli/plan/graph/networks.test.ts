import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../support/draws.js";
import { type Attributes, effects } from "../world.js";
import { changed, GROUP, planWith, type Sets, type Sides, same } from "./changed-world.js";

/** A network with the endpoint of a topic, a service that publishes to it, and a database. */

const inGroup = { resource_group_name: "shop" };
const idIn = (kind: string, name: string) => `${GROUP}/providers/Microsoft.Network/${kind}/${name}`;
const named = (kind: string, name: string, more: Attributes = {}) =>
  same({ id: idIn(kind, name), name, ...inGroup, ...more });
const [NET, HUB] = [idIn("virtualNetworks", "net"), idIn("virtualNetworks", "hub")];
const subnet = (name: string) => `${NET}/subnets/${name}`;
const ENDPOINT = "https://shop.westeurope-1.eventgrid.azure.net/api/events";
const ADDRESS = "20.1.2.3";
const TOPIC = "azurerm_eventgrid_topic.shop";
const WEB = "azurerm_linux_web_app.publisher";
const GATEWAY = "azurerm_subnet_nat_gateway_association.apps";
const PUBLIC_IP = "azurerm_public_ip.out";
const publisher = {
  id: `${GROUP}/providers/Microsoft.Web/sites/publisher`,
  app_settings: { TOPIC: ENDPOINT, LEVEL: "info" },
  virtual_network_subnet_id: subnet("apps"),
};
const gateway = { id: subnet("apps"), nat_gateway_id: idIn("natGateways", "out") };
const address = { id: idIn("publicIPAddresses", "out"), name: "out", ip_address: ADDRESS };

/** Rules and routes, by the attribute of a new one that names what it is in. */
const parts = {
  azurerm_network_security_rule: ["network_security_group", "networkSecurityGroups/securityRules"],
  azurerm_route: ["route_table", "routeTables/routes"],
} as const;
const types = ["azurerm_network_security_rule", "azurerm_route"] as const;

/** Rules have the name of their subnet; one shares routes, and some have the name of other rules. */
const ROUTES: Readonly<Record<string, string>> = {
  endpoints: "db",
  beside: "apps",
  db: "endpoints",
};
const nameOf = (owner: string, name: string) =>
  owner === "route_table" ? (ROUTES[name] ?? name) : name;

const net: Sets = {
  [WEB]: same(publisher),
  "azurerm_virtual_network.net": named("virtualNetworks", "net"),
  "azurerm_virtual_network.hub": named("virtualNetworks", "hub"),
  "azurerm_virtual_network_peering.hub": same({
    ...{ id: `${NET}/virtualNetworkPeerings/hub`, remote_virtual_network_id: HUB },
  }),
  "azurerm_nat_gateway.out": named("natGateways", "out"),
  [PUBLIC_IP]: same(address),
  "azurerm_nat_gateway_public_ip_association.out": same({
    ...{ id: "a|b", nat_gateway_id: gateway.nat_gateway_id, public_ip_address_id: address.id },
  }),
  [GATEWAY]: same({ ...gateway, subnet_id: gateway.id }),
};
for (const name of ["endpoints", "apps", "db", "beside"]) {
  const id = subnet(name);
  const sides: Record<string, Sides> = { [`azurerm_subnet.${name}`]: same({ id, name }) };
  for (const [owner, kinds] of Object.values(parts)) {
    const [kind = ""] = kinds.split("/");
    const own = nameOf(owner, name);
    sides[`azurerm_${owner}.${own}`] = named(kind, own);
    const association = { id, subnet_id: id, [`${owner}_id`]: idIn(kind, own) };
    sides[`azurerm_subnet_${owner}_association.${name}`] = same(association);
  }
  Object.assign(net, sides);
}
const closed: Sets = {
  ...changed(TOPIC, { endpoint: ENDPOINT }),
  ...changed("azurerm_private_endpoint.topic", { subnet_id: subnet("endpoints") }),
  ...changed("azurerm_private_dns_zone_virtual_network_link.topic", { virtual_network_id: NET }),
};
const found = async (sets: Sets, topic: Sets = closed) => {
  const before = Object.entries(topic).map(([each, [, side]]) => [each, [side, side]]);
  return effects(planWith({ ...net, ...Object.fromEntries(before), ...sets }));
};
/** The rules of the subnet that only shares its routes. */
const unseen = (of: (name: string) => Sets): Sets =>
  Object.keys(of("beside")).some((address) => address.toLowerCase().includes("rule"))
    ? of("beside")
    : {};
const open = [expect.stringMatching(/^unknown publishers /)];

const part = fc
  .record({
    type: fc.constantFrom(...types),
    form: fc.constantFrom("new", "new by azapi", "changed", "destroyed"),
    spelt: fc.constantFrom(
      (id: string) => id,
      (id: string) => id.toUpperCase(),
    ),
  })
  .map(({ type, form, spelt }) => (name: string): Sets => {
    const [owner, kinds] = parts[type];
    const [kind = "", folder] = kinds.split("/");
    const parent_id = spelt(idIn(kind, nameOf(owner, name)));
    const side = { id: `${parent_id}/${folder}/x`, name: "x", priority: 1 };
    const azapi = { parent_id, type: `Microsoft.Network/${kind}/${folder}@2024-05-01`, body: {} };
    if (form === "new by azapi") return { [`azapi_resource.${folder}_${name}`]: [null, azapi] };
    const added = { name: "x", [`${owner}_name`]: spelt(nameOf(owner, name)), ...inGroup };
    const others: Sides = [side, form === "changed" ? { ...side, priority: 2 } : null];
    return { [`${type}.${name}`]: form === "new" ? [null, added] : others };
  });

describe("the network of a topic's private endpoint", () => {
  it("is followed to rules and routes of the endpoint's subnet, and of services that publish", async () => {
    await fc.assert(
      fc.asyncProperty(part, async (of) => {
        const all = await found({ ...of("endpoints"), ...of("apps"), ...of("db"), ...unseen(of) });
        expect(all.map((text) => text.replace(/:.*/, ""))).toEqual([
          expect.stringMatching(/^unknown publishers .*endpoints$/),
          expect.stringMatching(/^unknown publishers .*apps$/),
        ]);
      }),
      { numRuns: draws(20) },
    );
  });

  const PEERING = "azurerm_virtual_network_peering.x";
  const DNS = "azurerm_virtual_network_dns_servers.x";
  const link = { virtual_network_name: "net", remote_virtual_network_id: HUB, ...inGroup };
  const back = { id: `${HUB}/virtualNetworkPeerings/x`, remote_virtual_network_id: NET };
  const servers = (virtual_network_id: string) => ({
    virtual_network_id,
    dns_servers: ["10.9.9.9"],
  });

  it.each<readonly [string, Sets, Sets]>([
    [
      "its peerings, but for new ones",
      { [PEERING]: [{ ...link, id: `${NET}/virtualNetworkPeerings/x` }, null] },
      { [PEERING]: [null, link] },
    ],
    ["peerings of the other side", { [PEERING]: [back, null] }, { [PEERING]: [null, back] }],
    [
      "its name servers, but not those of its neighbour",
      { [DNS]: [null, servers(NET)] },
      { [DNS]: [null, servers(HUB)] },
    ],
    [
      "a new association of a subnet, but not a new subnet",
      { "azurerm_subnet_route_table_association.x": [null, { subnet_id: subnet("apps") }] },
      { "azurerm_subnet.x": [null, { name: "x", virtual_network_name: "net", ...inGroup }] },
    ],
    [
      "the subnet of a service, but not what that runs",
      { [WEB]: [publisher, { ...publisher, virtual_network_subnet_id: null }] },
      { [WEB]: [publisher, { ...publisher, site_config: [{ always_on: true }] }] },
    ],
  ])("is followed to %s", async (_, cuts, keeps) => {
    expect(await found(cuts)).toEqual(open);
    expect(await found(keeps)).toEqual([]);
  });
});

it("follows the addresses that a topic admits to the gateways that have them", async () => {
  const admitting = (ip_mask: string) =>
    changed(TOPIC, { public_network_access_enabled: true, inbound_ip_rule: [{ ip_mask }] });
  const removed: Sets = { [GATEWAY]: [{ ...gateway, subnet_id: gateway.id }, null] };
  for (const sets of [removed, { [PUBLIC_IP]: [address, null] } satisfies Sets]) {
    expect(await found(sets, admitting(`${ADDRESS}/32`))).toEqual(open);
    expect(await found(sets, admitting("20.9.9.9"))).toEqual([]);
  }
  const subnetLost: Sets = {
    [WEB]: [publisher, { ...publisher, virtual_network_subnet_id: null }],
  };
  const anybody = changed(TOPIC, { endpoint: ENDPOINT, public_network_access_enabled: true });
  expect(await found(subnetLost, anybody)).toEqual([]);
});
