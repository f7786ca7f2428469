import { describe, expect, it } from "vitest";
import { LATER } from "./changed-world.js";
import { effects } from "./world.js";

type Attributes = Readonly<Record<string, unknown>>;
/** A resource before and after the apply; a single side is one that stays. */
type Sides = Attributes | readonly [before: Attributes | null, after: Attributes | null];

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const id = (type: string, name: string) => `${GROUP}/providers/Microsoft.${type}/${name}`;
const HOST = "events.shop.com";

/** What a plan of these resources does, with an event subscription that delivers to the host. */
async function changes(
  resources: Readonly<Record<string, Sides>>,
  configuration?: object,
  destination: Attributes = { webhook_endpoint: [{ url: `https://${HOST}/api/events` }] },
) {
  const subscription = {
    id: id("EventGrid", "topics/shop/providers/Microsoft.EventGrid/eventSubscriptions/orders"),
    name: "orders",
    scope: id("EventGrid", "topics/shop"),
    ...destination,
  };
  const all = { "azurerm_eventgrid_event_subscription.orders": subscription, ...resources };
  const resource_changes = Object.entries(all).map(([address, sides]: [string, Sides]) => {
    const [before, after] = Array.isArray(sides) ? sides : [sides, sides];
    const actions = [
      before === after ? "no-op" : before ? (after ? "update" : "delete") : "create",
    ];
    const type = address.replace(/^module\.\w+\./, "").split(".")[0];
    const later = Object.entries(after ?? {}).filter(([, value]) => value === LATER);
    const after_unknown = Object.fromEntries(later.map(([name]) => [name, true]));
    return { address, type, mode: "managed", change: { actions, before, after, after_unknown } };
  });
  const plan = { format_version: "1.2", resource_changes, configuration };
  return (await effects(JSON.stringify(plan))).map((text) => text.replace(/ destination /, " "));
}

const update = (before: Attributes, change: Attributes) =>
  [before, { ...before, ...change }] as const;
const PROBE = "; cloud-eventgrid probe tells afterwards (needed by orders)";
const onWay = (address: string, what: string) =>
  `unknown ${address}: on the way to a webhook: ${what}${PROBE}`;
const gone = (address: string) =>
  `lost ${address}: it is destroyed, and events are delivered through it (needed by orders)`;

const app = {
  id: id("App", "containerApps/orders"),
  container_app_environment_id: id("App", "managedEnvironments/shop"),
  identity: [{ type: "SystemAssigned", identity_ids: [] }],
  ingress: [{ external_enabled: true, target_port: 9000, fqdn: HOST }],
  registry: [{ server: "shop.azurecr.io" }],
  template: [
    { min_replicas: 1, container: [{ image: "shop:1", env: [{ name: "A", value: "1" }] }] },
  ],
};
const environment = {
  id: id("App", "managedEnvironments/shop"),
  infrastructure_subnet_id: id("Network", "virtualNetworks/shop/subnets/apps"),
  default_domain: "shop.com",
};
const site = { id: id("Web", "sites/orders"), default_hostname: "orders.net", enabled: true };
const zone = { id: id("Network", "dnsZones/shop.com"), name: "shop.com" };
const record = (type: string, name: string, settings: Attributes = {}) => ({
  id: `${zone.id}/${type}/${name}`,
  ...{ name, zone_name: zone.name, fqdn: `${name}.shop.com.`, resource_group_name: "shop" },
  ...settings,
});

describe("the owner of a webhook's host", () => {
  const address = "azurerm_container_app.orders";

  it("loses events when it is destroyed, unless another one gets the host", async () => {
    expect(await changes({ [address]: [app, null] })).toEqual([gone(address)]);
    const moved = { ...app, id: `${app.id}2` };
    expect(
      await changes({ [address]: [app, null], "azurerm_container_app.new": [null, moved] }),
    ).toEqual([
      onWay(address, "it is destroyed"),
      onWay("azurerm_container_app.new", "it is created"),
    ]);
  });

  it.each<[string, Attributes, string]>([
    [
      "its ingress",
      { ingress: [{ ...app.ingress[0], external_enabled: false }] },
      "ingress.external_enabled changes",
    ],
    ["its identity", { identity: [] }, "identity.type changes"],
    ["a setting that nobody knows", { brand_new: "x" }, "brand_new changes"],
  ])("is unknown when %s changes", async (_, change, what) => {
    expect(await changes({ [address]: update(app, change) })).toEqual([onWay(address, what)]);
  });

  it.each<[string, Attributes]>([
    ["image and environment", { template: [{ container: [{ image: "shop:2", env: [] }] }] }],
    ["replicas", { template: [{ ...app.template[0], min_replicas: 3 }] }],
    ["tags", { tags: { a: "b" } }],
    ["registry", { registry: [{ server: "other.azurecr.io" }] }],
    [
      "further identities",
      { identity: [{ type: "SystemAssigned, UserAssigned", identity_ids: [site.id] }] },
    ],
    ["traffic", { ingress: [{ ...app.ingress[0], traffic_weight: [{ percentage: 100 }] }] }],
  ])("is silent when only %s change", async (_, change) => {
    expect(await changes({ [address]: update(app, change) })).toEqual([]);
  });

  it("takes its environment along, and no other service in that, nor the network or the registry", async () => {
    const inside = "azurerm_container_app_environment.shop";
    const other = {
      ...app,
      id: id("App", "containerApps/other"),
      ingress: [{ fqdn: "other.shop.com" }],
    };
    const network = id("Network", "virtualNetworks/shop");
    const shared = {
      [address]: app,
      [inside]: environment,
      "azurerm_container_registry.shop": update(
        { id: id("ContainerRegistry", "registries/shop"), login_server: "shop.azurecr.io" },
        { admin_enabled: true },
      ),
      "azurerm_subnet.apps": { id: `${network}/subnets/apps`, virtual_network_name: "shop" },
      "azurerm_virtual_network.shop": update({ id: network }, { address_space: ["10.1.0.0/16"] }),
      "azurerm_subnet.other": [
        null,
        { virtual_network_name: "shop", address_prefixes: ["10.1.0.0/24"] },
      ],
      "azurerm_container_app.other": update(other, { ingress: [] }),
      "azurerm_container_app.new": [
        null,
        { ...other, id: undefined, ingress: [{ target_port: 1 }] },
      ],
    } satisfies Readonly<Record<string, Sides>>;
    expect(await changes(shared)).toEqual([]);
    expect(
      await changes({
        ...shared,
        [inside]: update(environment, { public_network_access: "Disabled" }),
      }),
    ).toEqual([onWay(inside, "public_network_access changes")]);
  });

  it("is an app whose name and environment make the host, if no attribute has it", async () => {
    const later = { ...app, name: "events", ingress: [{ target_port: 9000 }] };
    const inside = { "azurerm_container_app_environment.shop": environment };
    expect(await changes({ ...inside, [address]: [later, null] })).toEqual([gone(address)]);
    const other = { ...later, id: `${app.id}2`, name: "other" };
    expect(
      await changes({ ...inside, [address]: later, "azurerm_container_app.o": [other, null] }),
    ).toEqual([]);
  });

  it("is the app of a function that events are delivered to", async () => {
    const address = "azurerm_linux_function_app.orders";
    const destination = { azure_function_endpoint: [{ function_id: `${site.id}/functions/work` }] };
    const found = (after: Attributes | null) =>
      changes({ [address]: [site, after] }, {}, destination);
    expect(await found(null)).toEqual([gone(address)]);
    const settings = (name: string) => found({ ...site, app_settings: { [name]: "true" } });
    const name = "AzureWebJobs.work.Disabled";
    expect(await settings(name)).toEqual([onWay(address, `app_settings.${name} changes`)]);
    expect(await settings("A")).toEqual([]);
    expect(await found({ ...site, app_settings: { [name]: "false" } })).toEqual([]);
  });

  it("is what a record leads to, by its name, its address or its ID", async () => {
    const address = "azurerm_linux_web_app.orders";
    const cname = record("CNAME", "events", { record: "orders.net" });
    const stopped = update(site, { enabled: false });
    expect(await changes({ "azurerm_dns_cname_record.c": cname, [address]: stopped })).toEqual([
      onWay(address, "enabled changes"),
    ]);
    expect(await changes({ "azurerm_dns_cname_record.c": cname, [address]: [site, null] })).toEqual(
      [gone(address)],
    );
    const binding = { id: `${site.id}/hostNameBindings/${HOST}`, hostname: HOST };
    expect(
      await changes({
        "azurerm_app_service_custom_hostname_binding.b": binding,
        [address]: stopped,
      }),
    ).toHaveLength(1);
    const ip = { id: id("Network", "publicIPAddresses/ip"), ip_address: "20.1.2.3" };
    const lb = {
      id: id("Network", "loadBalancers/lb"),
      frontend_ip_configuration: [{ public_ip_address_id: ip.id }],
    };
    for (const settings of [{ records: ["20.1.2.3"] }, { target_resource_id: ip.id }]) {
      const a = { "azurerm_dns_a_record.a": record("A", "events", settings) };
      expect(await changes({ ...a, "azurerm_public_ip.i": [ip, null] })).toEqual([
        gone("azurerm_public_ip.i"),
      ]);
      expect(
        await changes({ ...a, "azurerm_public_ip.i": ip, "azurerm_lb.l": [lb, null] }),
      ).toEqual([onWay("azurerm_lb.l", "it is destroyed")]);
    }
  });
});

describe("DNS", () => {
  it("has the records of the host, those that shadow them, and their zone on the way", async () => {
    const wildcard = { "azurerm_dns_a_record.all": record("A", "*", { records: ["20.1.2.3"] }) };
    const added = (type: string, name: string, zone_name = "shop.com") =>
      changes({ ...wildcard, [`azurerm_dns_${type}_record.new`]: [null, { name, zone_name }] });
    const created = (type: string) => [onWay(`azurerm_dns_${type}_record.new`, "it is created")];
    expect(await added("a", "events")).toEqual(created("a"));
    expect(await added("ns", "@", HOST)).toEqual(created("ns"));
    expect(await added("ns", "shop", "com")).toEqual(created("ns"));
    expect(await added("ns", "other")).toEqual([]);
    expect(await added("mx", "events")).toEqual([]);
    expect(await added("a", "other")).toEqual([]);
    expect(await added("a", "events", "other.com")).toEqual([]);
    expect(await added("a", LATER)).toEqual(created("a"));
    expect(await added("a", LATER, "other.com")).toEqual([]);
    expect(await added("a", "events", LATER)).toEqual(created("a"));
    expect(await added("a", "other", LATER)).toEqual([]);
    const address = "azurerm_dns_a_record.all";
    const before = wildcard[address];
    expect(await changes({ [address]: update(before, { records: ["20.1.2.4"] }) })).toEqual([
      onWay(address, "records changes"),
    ]);
    const two = { ...before, records: ["20.1.2.3", "20.1.2.4"] };
    expect(
      await changes({ [address]: [two, { ...two, records: [...two.records].reverse() }] }),
    ).toEqual([]);
    expect(await changes({ "azurerm_dns_zone.z": [zone, null] })).toEqual([
      onWay("azurerm_dns_zone.z", "it is destroyed"),
    ]);
    const beside = {
      "azurerm_dns_zone.z": zone,
      "azurerm_dns_a_record.o": [record("A", "o"), null],
    } as const;
    expect(await changes(beside)).toEqual([]);
  });

  it("is Cloudflare's, too, whose records have only a name and the zone's ID", async () => {
    const cloudflare = { id: "023e105f4ecef8ad9ca31a8372d0c353", name: "shop.com" };
    const zone = { "cloudflare_zone.shop": cloudflare };
    const added = (name: string, type = "A") =>
      changes({
        ...zone,
        "cloudflare_dns_record.new": [
          null,
          { zone_id: cloudflare.id, name, type, content: "20.1.2.3" },
        ],
      });
    expect(await added("events")).toEqual([onWay("cloudflare_dns_record.new", "it is created")]);
    expect(await added(HOST)).toHaveLength(1);
    expect(await added("*")).toHaveLength(1);
    expect(await added("events", "MX")).toEqual([]);
    expect(await added("other")).toEqual([]);
    const rules = (expression: string) => ({
      id: "f5e1aef0c7bd4f9fb5a1b5b8d1b1f7aa",
      rules: [{ expression }],
    });
    const ruleset = "cloudflare_ruleset.r";
    expect(
      await changes({ [ruleset]: [rules(`http.host eq "${HOST}"`), rules("true")] }),
    ).toHaveLength(1);
  });
});

describe("gateways", () => {
  const PROFILE = id("Cdn", "profiles/p");
  const group = { id: `${PROFILE}/originGroups/g` };
  const origin = {
    id: `${group.id}/origins/o`,
    host_name: "orders.net",
    cdn_frontdoor_origin_group_id: group.id,
  };
  const frontDoor = {
    "azurerm_cdn_frontdoor_profile.p": { id: PROFILE, sku_name: "Standard" },
    "azurerm_cdn_frontdoor_endpoint.e": {
      id: `${PROFILE}/afdEndpoints/e`,
      host_name: "shop.azurefd.net",
      cdn_frontdoor_profile_id: PROFILE,
    },
    "azurerm_cdn_frontdoor_custom_domain.d": {
      id: `${PROFILE}/customDomains/d`,
      host_name: HOST,
      cdn_frontdoor_profile_id: PROFILE,
    },
    "azurerm_cdn_frontdoor_route.r": {
      id: `${PROFILE}/afdEndpoints/e/routes/r`,
      cdn_frontdoor_endpoint_id: `${PROFILE}/afdEndpoints/e`,
      cdn_frontdoor_origin_group_id: group.id,
      cdn_frontdoor_custom_domain_ids: [`${PROFILE}/customDomains/d`],
    },
    "azurerm_cdn_frontdoor_origin_group.g": group,
    "azurerm_cdn_frontdoor_origin.o": origin,
  };

  it.each<[string, Readonly<Record<string, Sides>>]>([
    [
      "a new firewall policy",
      {
        "azurerm_cdn_frontdoor_security_policy.new": [
          null,
          {
            security_policies: [
              {
                firewall: [
                  {
                    association: [
                      { domain: [{ cdn_frontdoor_domain_id: `${PROFILE}/customDomains/d` }] },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      "a more specific route",
      {
        "azurerm_cdn_frontdoor_route.new": [
          null,
          { cdn_frontdoor_endpoint_id: `${PROFILE}/afdEndpoints/e`, patterns_to_match: ["/api/*"] },
        ],
      },
    ],
    [
      "a further origin",
      {
        "azurerm_cdn_frontdoor_origin.new": [
          null,
          { ...origin, id: undefined, host_name: "b.net" },
        ],
      },
    ],
    ["the origin", { "azurerm_cdn_frontdoor_origin.o": update(origin, { enabled: false }) }],
    ["the service behind it", { "azurerm_linux_web_app.orders": update(site, { enabled: false }) }],
  ])("have on the way, at Front Door: %s", async (_, change) => {
    const [address = ""] = Object.keys(change);
    const found = await changes({ ...frontDoor, ...change });
    expect(found).toEqual([expect.stringContaining(`unknown ${address}: on the way`)]);
  });

  it("do not have what is beside the route in the profile on the way", async () => {
    const other = {
      "azurerm_cdn_frontdoor_endpoint.other": update(
        { id: `${PROFILE}/afdEndpoints/other`, cdn_frontdoor_profile_id: PROFILE },
        { enabled: false },
      ),
      "azurerm_cdn_frontdoor_origin_group.other": update(
        { id: `${PROFILE}/originGroups/other` },
        { session_affinity_enabled: false },
      ),
    };
    expect(await changes({ ...frontDoor, ...other })).toEqual([]);
  });

  it("have the policies of API Management on the way", async () => {
    const gateway = { id: id("ApiManagement", "service/shop"), gateway_url: `https://${HOST}` };
    const address = "azurerm_api_management_api_policy.orders";
    const policy = {
      id: `${gateway.id}/apis/orders`,
      xml_content: "<policies>\n  <inbound/>\n</policies>",
    };
    const changed = update(policy, {
      xml_content: "<policies>\n  <inbound><ip-filter/></inbound>\n</policies>",
    });
    expect(await changes({ "azurerm_api_management.shop": gateway, [address]: changed })).toEqual([
      onWay(address, "xml_content changes"),
    ]);
  });
});

describe("Kubernetes", () => {
  const yaml = (host: string, tag: string, className: string) => `image:
  tag: "${tag}"
ingress:
  className: ${className}
  hosts:
    - host: ${host}
      paths: ["/"]
other:
  a: ${tag}
`;
  const chart = (...values: Parameters<typeof yaml>) => ({
    id: "shop/orders",
    name: "orders",
    values: [yaml(...values)],
  });

  it("has the block of a chart's values that has the host on the way, without the image", async () => {
    const address = "helm_release.orders";
    const release = (next: Attributes) => changes({ [address]: [chart(HOST, "1", "nginx"), next] });
    expect(await release(chart(HOST, "2", "nginx"))).toEqual([]);
    expect(await release(chart(HOST, "1", "traefik"))).toEqual([
      onWay(address, "values.ingress.className changes"),
    ]);
    expect(await release(chart("new.shop.com", "1", "nginx"))).toHaveLength(1);
    expect(await release({ ...chart(HOST, "1", "nginx"), version: "2.0.0" })).toEqual([
      onWay(address, "version changes"),
    ]);
    const set = (tag: string, type: string) => ({
      id: "shop/orders",
      set: [
        { name: "ingress.host", value: HOST },
        { name: "image.tag", value: tag },
        { name: "service.type", value: type },
      ],
    });
    expect(await changes({ [address]: [set("1", "A"), set("2", "A")] })).toEqual([]);
    expect(await changes({ [address]: [set("1", "A"), set("1", "B")] })).toHaveLength(1);
  });

  it("has only the manifest with the host on the way, of several in one text", async () => {
    const address = "kubectl_manifest.orders";
    const manifests = (tag: string, className: string) => ({
      id: "/apis/shop",
      yaml_body: `kind: Deployment
spec: {container: {name: "${tag}"}}
---
kind: Ingress
spec:
  ingressClassName: ${className}
  rules: [{host: "*.shop.com"}]
`,
    });
    const changed = (tag: string, className: string) =>
      changes({ [address]: [manifests("1", "nginx"), manifests(tag, className)] });
    expect(await changed("2", "nginx")).toEqual([]);
    expect(await changed("1", "traefik")).toEqual([
      onWay(address, "yaml_body.spec.ingressClassName changes"),
    ]);
  });

  it("loses events when the ingress is destroyed", async () => {
    const ingress = { id: "shop/orders", spec: [{ rule: [{ host: HOST }] }] };
    const address = "kubernetes_ingress_v1.orders";
    expect(await changes({ [address]: [ingress, null] })).toEqual([gone(address)]);
  });

  it("follows the references of the URL where no resource has the host", async () => {
    const name = "azurerm_eventgrid_event_subscription.orders";
    const expressions = { webhook_endpoint: [{ url: { references: ["helm_release.r"] } }] };
    const resources = [{ address: name, expressions }, { address: "helm_release.r" }];
    const found = await changes(
      { "helm_release.r": [{ id: "1" }, null] },
      { root_module: { resources } },
    );
    expect(found).toEqual([onWay("helm_release.r", "it is destroyed")]);
  });
});

it("does not find what only mentions the host: other rules, probes, alerts and clients", async () => {
  const url = `https://${HOST}/api/events`;
  expect(
    await changes({
      "terraform_data.probe": [{ id: "1", input: url }, null],
      "azuread_application.a": update(
        { id: "/applications/1", web: [{ homepage_url: url }] },
        { web: [] },
      ),
      "azurerm_application_insights_standard_web_test.t": [{ id: "/t", request: [{ url }] }, null],
      "azurerm_container_app.client": update(
        { ...app, ingress: [], template: [{ container: [{ env: [{ value: url }] }] }] },
        { ingress: [{ external_enabled: false }] },
      ),
    }),
  ).toEqual([]);
});
