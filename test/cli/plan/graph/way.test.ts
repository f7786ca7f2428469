import { describe, expect, it } from "vitest";
import { LATER } from "./changed-world.js";
import {
  type Attributes,
  app,
  changes,
  environment,
  gone,
  HOST,
  id,
  onWay,
  record,
  type Sides,
  site,
  update,
  zone,
} from "./ways.js";

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

  it.each<[string, Sides]>([
    ["another slot is swapped in", [null, { slot_id: `${site.id}/slots/blue` }]],
    [
      "a slot is swapped back",
      update(
        { id: site.id, slot_id: `${site.id}/slots/blue` },
        { slot_id: `${site.id}/slots/green` },
      ),
    ],
  ])("is unknown when %s", async (_, sides) => {
    const web = { ...site, default_hostname: HOST };
    const found = await changes({
      "azurerm_linux_web_app.w": web,
      "azurerm_web_app_active_slot.s": sides,
    });
    expect(found).toEqual([
      expect.stringMatching(/^unknown azurerm_web_app_active_slot.s: on the way/),
    ]);
  });

  it("is silent at a new slot, and unknown when that is swapped in at once", async () => {
    const slot = "azurerm_linux_web_app_slot.s";
    const active = "azurerm_web_app_active_slot.s";
    const expressions = { slot_id: { references: [`${slot}.id`, slot] } };
    const found = await changes(
      {
        "azurerm_linux_web_app.w": { ...site, default_hostname: HOST },
        [slot]: [null, { app_service_id: site.id, name: "s" }],
        [active]: [null, { slot_id: LATER }],
      },
      { root_module: { resources: [{ address: slot }, { address: active, expressions }] } },
    );
    expect(found).toEqual([onWay(active, "it is created")]);
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
    const rules = id("Network", "networkSecurityGroups/apps");
    const ofSubnet = { subnet_id: environment.infrastructure_subnet_id };
    const rule = "azurerm_network_security_rule.https";
    expect(
      await changes({
        ...shared,
        "azurerm_network_security_group.apps": { id: rules },
        "azurerm_subnet_network_security_group_association.apps": {
          ...{ id: ofSubnet.subnet_id, ...ofSubnet, network_security_group_id: rules },
        },
        [rule]: [{ id: `${rules}/securityRules/https` }, null],
      }),
    ).toEqual([onWay(rule, "it is destroyed")]);
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
    const lost = "lost azurerm_eventgrid_event_subscription.orders: its destination";
    expect(await found(null)).toEqual([`${lost} ${address} is destroyed`]);
    const azapi = { ...site, type: "Microsoft.Web/sites@2024-04-01", body: {} };
    for (const [other, side] of [
      ["azapi_resource.app", azapi],
      ["azurerm_function_app_function.work", { id: `${site.id}/functions/work` }],
      ["azurerm_resource_group.shop", { id: site.id.replace(/\/providers.*/, "") }],
    ] as const) {
      const destroyed = await changes({ [other]: [side, null] }, {}, destination);
      expect(destroyed).toContain(`${lost} ${other} is destroyed`);
    }
    const settings = (name: string) => found({ ...site, app_settings: { [name]: "true" } });
    const name = "AzureWebJobs.work.Disabled";
    expect(await settings(name)).toEqual([onWay(address, `app_settings.${name} changes`)]);
    expect(await settings("AzureWebJobs.other.Disabled")).toEqual([]);
    expect(await settings("A")).toEqual([]);
    for (const version of [
      "app_settings.FUNCTIONS_EXTENSION_VERSION",
      "functions_extension_version",
    ]) {
      const [, inner] = version.split(".");
      const after = inner ? { app_settings: { [inner]: "~3" } } : { [version]: "~3" };
      expect(await found({ ...site, ...after })).toEqual([onWay(address, `${version} changes`)]);
    }
    expect(await found({ ...site, app_settings: { [name]: "false" } })).toEqual([]);
  });

  it("depends on the storage of the function's host", async () => {
    const destination = { azure_function_endpoint: [{ function_id: `${site.id}/functions/work` }] };
    const account = { id: id("Storage", "storageAccounts/host"), name: "host" };
    const address = "azurerm_storage_account.host";
    const says = [expect.stringMatching(/^unknown \S+: the storage account of a function's app /)];
    const text = "DefaultEndpointsProtocol=https;AccountName=host;AccountKey=k";
    for (const app of [
      { ...site, storage_account_name: "host" },
      { ...site, app_settings: { AzureWebJobsStorage: text } },
      { ...site, app_settings: { AzureWebJobsStorage__accountName: "host" } },
    ]) {
      const found = (resources: Readonly<Record<string, Sides>>) =>
        changes({ "azurerm_linux_function_app.f": app, ...resources }, {}, destination);
      const rules = { storage_account_id: account.id, default_action: "Deny" };
      const ofRules = "azurerm_storage_account_network_rules.r";
      expect(await found({ [address]: [account, null] })).toEqual(says);
      for (const closed of [
        { network_rules: [{ default_action: "Deny", bypass: ["AzureServices"] }] },
        { public_network_access_enabled: false },
      ]) {
        expect(await found({ [address]: update(account, closed) })).toEqual(says);
        expect(
          await found({
            [address]: update({ ...account, id: `${account.id}2`, name: "other" }, closed),
          }),
        ).toEqual([]);
      }
      const keysOff = await found({
        [address]: update(account, { shared_access_key_enabled: false }),
      });
      expect(keysOff).toEqual(says);
      expect(await found({ [address]: account, [ofRules]: [null, rules] })).toEqual(says);
      expect(
        await found({ [address]: account, [ofRules]: [{ ...rules, id: account.id }, null] }),
      ).toEqual([]);
      expect(await found({ [address]: update(account, { access_tier: "Cool" }) })).toEqual([]);
    }
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
    // The first label of a name is no address of a private network.
    const other = { ...site, default_hostname: "10.orders.net" };
    const named = record("CNAME", "events", { record: "10.orders.net" });
    expect(
      await changes({ "azurerm_dns_cname_record.c": named, [address]: [other, null] }),
    ).toEqual([gone(address)]);
    const binding = { id: `${site.id}/hostNameBindings/${HOST}`, hostname: HOST };
    const found = (destroyed: string, more: Readonly<Record<string, Sides>> = {}) =>
      changes({
        [destroyed]: [cname, null],
        "azurerm_app_service_custom_hostname_binding.b": binding,
        ...more,
      });
    const [ofAll, inside] = ["azurerm_dns_cname_record.c", "azurerm_private_dns_cname_record.c"];
    expect(await found(ofAll)).toEqual([gone(ofAll)]);
    for (const [destroyed, more] of [
      [ofAll, { "azurerm_dns_cname_record.all": record("CNAME", "*", { record: "orders.net" }) }],
      [inside, {}],
    ] as const) {
      expect(await found(destroyed, more)).toEqual([onWay(destroyed, "it is destroyed")]);
    }
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
      expect(
        await changes({ ...a, "azurerm_public_ip.i": [ip, null], "azurerm_lb.l": lb }),
      ).toEqual([gone("azurerm_public_ip.i")]);
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
it("does not take what may only call a URL for its owner", async () => {
  const lost = async (name: string) => {
    const [first] = await changes({
      "x_y.z": [{ id: "resource-1", [name]: `https://${HOST}` }, null],
    });
    return first;
  };
  expect(await lost("gateway_url")).toBe(gone("x_y.z"));
  for (const name of ["url", "endpoint", "callback_uri"]) {
    expect(await lost(name)).toBe(onWay("x_y.z", "it is destroyed"));
  }
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
