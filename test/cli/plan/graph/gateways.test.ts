import { describe, expect, it } from "vitest";
import { LATER } from "./changed-world.js";
import {
  type Attributes,
  changes,
  gone,
  HOST,
  id,
  onWay,
  type Sides,
  site,
  update,
} from "./ways.js";

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

  it.each(
    Object.entries<Readonly<Record<string, Sides>>>({
      "a new firewall policy": {
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
      "a more specific route": {
        "azurerm_cdn_frontdoor_route.new": [
          null,
          { cdn_frontdoor_endpoint_id: `${PROFILE}/afdEndpoints/e`, patterns_to_match: ["/api/*"] },
        ],
      },
      "a further origin": {
        "azurerm_cdn_frontdoor_origin.new": [
          null,
          { ...origin, id: undefined, host_name: "b.net" },
        ],
      },
      "the origin": { "azurerm_cdn_frontdoor_origin.o": update(origin, { enabled: false }) },
      "the service behind it": { "azurerm_linux_web_app.orders": update(site, { enabled: false }) },
    }),
  )("have on the way, at Front Door: %s", async (_, change) => {
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
    const old = { ...chart(HOST, "1", "nginx"), metadata: [{ revision: 1 }] };
    // The provider computes the metadata of each release anew.
    const release = (next: Attributes) =>
      changes({ [address]: [old, { ...next, metadata: LATER }] });
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
