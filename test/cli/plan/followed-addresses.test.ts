import { describe, expect, it } from "vitest";
import { changed, GROUP, LATER, of, planWith, type Sets, SITE, same } from "./changed-world.js";
import { effects } from "./world.js";

const subscription = {
  "azurerm_eventgrid_event_subscription.dns": same({
    ...of("azurerm_eventgrid_event_subscription.web"),
    name: "dns",
    webhook_endpoint: [{ url: "https://events.shop.com/x" }],
  }),
};
const site = { id: SITE, default_hostname: "other.example.org", enabled: true };
const cname = { fqdn: "events.shop.com.", record: "other.example.org", id: `${GROUP}/providers/n` };
const PROFILE = `${GROUP}/providers/Microsoft.Cdn/profiles/p`;
const origin = { id: `${PROFILE}/originGroups/g/origins/o`, host_name: "other.example.org" };
const frontDoor = {
  ...subscription,
  "azurerm_cdn_frontdoor_endpoint.e": same({
    id: `${PROFILE}/afdEndpoints/e`,
    host_name: "events.shop.com",
  }),
  "azurerm_cdn_frontdoor_route.r": same({
    id: `${PROFILE}/afdEndpoints/e/routes/r`,
    cdn_frontdoor_origin_group_id: `${PROFILE}/originGroups/g`,
  }),
  "azurerm_cdn_frontdoor_origin_group.g": same({ id: `${PROFILE}/originGroups/g` }),
};
const traffic = `${GROUP}/providers/Microsoft.Network/trafficManagerProfiles/t`;
const containerApp = {
  id: `${GROUP}/providers/Microsoft.App/containerApps/az`,
  type: "Microsoft.App/containerApps@2024-03-01",
  output: { properties: { configuration: { ingress: { fqdn: "events.shop.com" } } } },
};
const hostBinding = { id: `${SITE}/hostNameBindings/events.shop.com`, hostname: "events.shop.com" };

const ip = {
  id: `${GROUP}/providers/Microsoft.Network/publicIPAddresses/ip`,
  ip_address: "20.1.2.3",
};
const record = { fqdn: "events.shop.com.", records: ["20.1.2.3"], id: `${GROUP}/providers/n` };
const address = { ...subscription, "azurerm_dns_a_record.a": same(record) };
const frontend = {
  id: `${GROUP}/lb`,
  frontend_ip_configuration: [{ public_ip_address_id: ip.id }],
};

const cuts: readonly (readonly [string, Sets])[] = [
  [
    "an ingress with the host of the webhook is destroyed",
    {
      "kubernetes_ingress_v1.i": [
        { id: "ns/i", spec: [{ rule: [{ host: "app.shop.example.io" }] }] },
        null,
      ],
    },
  ],
  [
    "a workflow with the host of the webhook is disabled",
    {
      ...subscription,
      "azurerm_logic_app_workflow.w": [
        { id: "/w", access_endpoint: "https://events.shop.com:443/workflows/w", enabled: true },
        { id: "/w", access_endpoint: "https://events.shop.com:443/workflows/w", enabled: false },
      ],
    },
  ],
  [
    "the app behind a DNS record stops",
    {
      ...subscription,
      "azurerm_dns_cname_record.c": same(cname),
      "azurerm_linux_web_app.other": [site, { ...site, enabled: false }],
    },
  ],
  [
    "the app behind a host name binding stops",
    {
      ...subscription,
      "azurerm_app_service_custom_hostname_binding.b": same(hostBinding),
      "azurerm_linux_web_app.other": [site, { ...site, enabled: false }],
    },
  ],
  [
    "the app behind Traffic Manager stops",
    {
      ...subscription,
      "azurerm_dns_cname_record.c": same({ ...cname, record: "shop.trafficmanager.net" }),
      "azurerm_traffic_manager_profile.t": same({ id: traffic, fqdn: "shop.trafficmanager.net" }),
      "azurerm_traffic_manager_azure_endpoint.e": same({
        id: `${traffic}/AzureEndpoints/e`,
        target_resource_id: SITE,
      }),
      "azurerm_linux_web_app.other": [site, { ...site, enabled: false }],
    },
  ],
  [
    "an origin of Front Door is disabled",
    { ...frontDoor, "azurerm_cdn_frontdoor_origin.o": [origin, { ...origin, enabled: false }] },
  ],
  [
    "the app behind Front Door stops",
    {
      ...frontDoor,
      "azurerm_cdn_frontdoor_origin.o": same(origin),
      "azurerm_linux_web_app.other": [site, { ...site, enabled: false }],
    },
  ],
  [
    "a container app of azapi is destroyed",
    { ...subscription, "azapi_resource.az": [containerApp, null] },
  ],
  ["the address of a DNS record is given up", { ...address, "azurerm_public_ip.i": [ip, null] }],
  [
    "what answers at the address of a DNS record is destroyed",
    { ...address, "azurerm_public_ip.i": same(ip), "azurerm_lb.l": [frontend, null] },
  ],
  [
    "whether the web app is on is not known",
    changed("azurerm_linux_web_app.web", { enabled: LATER }),
  ],
  [
    "a subscription has a new setting",
    changed("azurerm_eventgrid_event_subscription.web", { brand_new: "x" }),
  ],
  [
    "the DNS zone of the webhook is destroyed",
    { ...subscription, "azurerm_dns_zone.z": [{ id: `${GROUP}/z`, name: "shop.com" }, null] },
  ],
  [
    "an ingress has a new setting",
    changed("azurerm_container_app.app", {
      ingress: [{ ...Object(of("azurerm_container_app.app").ingress)[0], brand_new: "x" }],
    }),
  ],
];

const harmless: readonly (readonly [string, Sets])[] = [
  [
    "another DNS zone is destroyed",
    { ...subscription, "azurerm_dns_zone.z": [{ id: `${GROUP}/z`, name: "op.com" }, null] },
  ],
  [
    "a record beside that of the webhook is removed from its zone",
    {
      ...subscription,
      "azurerm_dns_zone.z": same({ id: `${GROUP}/z`, name: "shop.com" }),
      "azurerm_dns_txt_record.o": [{ id: `${GROUP}/z/TXT/o`, fqdn: "o.shop.com." }, null],
    },
  ],
  [
    "another address is given up",
    { ...address, "azurerm_public_ip.o": [{ ...ip, ip_address: "20.1.2.4" }, null] },
  ],
  [
    "an address that a firewall lets in is given up",
    {
      ...changed("azurerm_storage_account.plain", { network_rules: [{ ip_rules: ["20.1.2.3"] }] }),
      "azurerm_public_ip.i": [ip, null],
    },
  ],
  [
    "the settings of the app behind a DNS record change",
    {
      ...subscription,
      "azurerm_dns_cname_record.c": same(cname),
      "azurerm_linux_web_app.other": [site, { ...site, app_settings: { a: "1" } }],
    },
  ],
];

describe("the way to the service behind a webhook", () => {
  it.each(cuts)("is followed: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).not.toEqual([]);
  });

  it.each(harmless)("is not all: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).toEqual([]);
  });

  it("is followed by references where no ID leads on, also to instances of other keys", async () => {
    const name = "azurerm_eventgrid_event_subscription.dns";
    const [side = {}] = subscription[name];
    const references = ["helm_release.r"];
    const expressions = { webhook_endpoint: [{ url: { references } }] };
    const resources = [{ address: name, expressions }, { address: "helm_release.r" }];
    const configuration = { root_module: { resources } };
    const sets = {
      [`${name}["a"]`]: same(side ?? {}),
      "helm_release.r[0]": [{ id: "0" }, null],
      "helm_release.r[1]": same({ id: "1" }),
    } as const;
    expect(await effects(planWith(sets, { configuration }))).toEqual([
      expect.stringMatching(/^unknown destination helm_release\.r\[0\]/),
    ]);
  });
});
