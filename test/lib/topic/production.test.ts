import { CloudEventGridNamespace, CloudEventGridTopic } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { resourceGroup, storageAccount } from "../fixtures.js";
import { problemsOf } from "../problems.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const network = `${resourceGroup}/providers/Microsoft.Network/virtualNetworks/shop`;
const subnetId = `${network}/subnets/services`;
const workspace = `${resourceGroup}/providers/Microsoft.OperationalInsights/workspaces/shop`;

/** Rules of scanners and of Azure Policy, with the attribute of the topic that each reads. */
const reviewRules = [
  [
    "Checkov CKV_AZURE_191, PSRule Azure.EventGrid.ManagedIdentity (AZR-000099)",
    "identity",
    isObject,
  ],
  [
    "Checkov CKV_AZURE_192, PSRule Azure.EventGrid.DisableLocalAuth (AZR-000100)",
    "local_auth_enabled",
    is(false),
  ],
  [
    "Checkov CKV_AZURE_193, PSRule Azure.EventGrid.TopicPublicAccess (AZR-000098)",
    "public_network_access_enabled",
    is(false),
  ],
  [
    "Azure Policy: topics should disable public network access",
    "public_network_access_enabled",
    is(false),
  ],
  [
    "Azure Policy: topics should have local authentication methods disabled",
    "local_auth_enabled",
    is(false),
  ],
] as const;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function is(expected: unknown): (value: unknown) => boolean {
  return (value) => value === expected;
}

/** The attributes of a topic that a review reports. */
function reportedOf(props: object): string[] {
  const stack = synthesized((scope) => {
    new CloudEventGridTopic(scope, "topic", { ...place, ...props });
  });
  const topic = stack.one("azurerm_eventgrid_topic");
  const reported = reviewRules.flatMap(([, attribute, isMet]) =>
    isMet(topic[attribute]) ? [] : [attribute],
  );
  return [...new Set(reported)];
}

describe("a review of a topic", () => {
  it("reports nothing but public access of a topic with the defaults", () => {
    expect(reportedOf({})).toEqual(["public_network_access_enabled"]);
  });

  it("reports nothing of a topic with a private endpoint", () => {
    expect(reportedOf({ privateEndpoints: [{ subnetId }] })).toEqual([]);
  });
});

describe("private endpoints", () => {
  it("connect a topic and a namespace to a subnet, and turn public access off", () => {
    const zone = `${resourceGroup}/providers/Microsoft.Network/privateDnsZones/privatelink.eventgrid.azure.net`;
    const privateEndpoints = [{ subnetId, privateDnsZoneIds: [zone] }];
    const stack = synthesized((scope) => {
      new CloudEventGridTopic(scope, "topic", {
        ...place,
        privateEndpoints,
        tags: { team: "shop" },
      });
      new CloudEventGridNamespace(scope, "events", { ...place, privateEndpoints });
    });
    const endpoints = stack.all("azurerm_private_endpoint").map(({ body }) => body);
    expect(endpoints).toHaveLength(2);
    expect(endpoints[1]).toMatchObject({
      subnet_id: subnetId,
      private_dns_zone_group: { private_dns_zone_ids: [zone] },
      private_service_connection: {
        private_connection_resource_id: expect.stringContaining("azurerm_eventgrid_topic"),
        subresource_names: ["topic"],
        is_manual_connection: false,
      },
      tags: { team: "shop" },
    });
    expect(stack.one("azapi_resource")).toMatchObject({
      body: { properties: { publicNetworkAccess: "Disabled" } },
    });
  });

  it("leave public access on if publicNetworkAccess says so", () => {
    const stack = synthesized((scope) => {
      const privateEndpoints = [{ subnetId }];
      const both = { ...place, privateEndpoints, publicNetworkAccess: true };
      new CloudEventGridTopic(scope, "topic", both);
    });
    expect(stack.one("azurerm_eventgrid_topic").public_network_access_enabled).toBe(true);
  });
});

describe("addresses", () => {
  it("are reported where public access is off, so that they admit nobody", () => {
    const warned = (props: object) =>
      synthesized((scope) => {
        const all = { ...place, ...props, allowedAddresses: ["203.0.113.0/24"] };
        new CloudEventGridTopic(scope, "topic", all);
        new CloudEventGridNamespace(scope, "events", all);
      }).warnings;
    const privateEndpoints = [{ subnetId }];
    const off = /^allowedAddresses admits nobody, because publicNetworkAccess is false/;
    expect(warned({ privateEndpoints })).toEqual(Array(2).fill(expect.stringMatching(off)));
    expect(warned({ publicNetworkAccess: false })).toHaveLength(2);
    expect(warned({ privateEndpoints, publicNetworkAccess: true })).toEqual([]);
    expect(warned({})).toEqual([]);
  });
});

describe("diagnostics", () => {
  it("store the logs that each type of resource has, and its metrics", () => {
    const stack = synthesized((scope) => {
      const diagnostics = { logAnalyticsWorkspaceId: workspace };
      new CloudEventGridTopic(scope, "topic", { ...place, diagnostics });
      const namespace = new CloudEventGridNamespace(scope, "events", { ...place, diagnostics });
      namespace.addTopic("uploads").addSource("files", {
        scope: storageAccount,
        location: "westeurope",
        diagnostics,
      });
    });
    const settings = stack.all("azurerm_monitor_diagnostic_setting").map(({ body }) => body);
    expect(settings.map(({ enabled_log }) => enabled_log)).toEqual([
      [
        { category: "FailedHttpDataPlaneOperations" },
        { category: "SuccessfulHttpDataPlaneOperations" },
      ],
      [{ category: "DeliveryFailures" }],
      [
        { category: "DataPlaneRequests" },
        { category: "DeliveryFailures" },
        { category: "PublishFailures" },
      ],
    ]);
    expect(settings[0]).toMatchObject({
      log_analytics_workspace_id: workspace,
      enabled_metric: [{ category: "AllMetrics" }],
    });
  });

  it("need a place to store them", () => {
    expect(
      problemsOf((scope) => {
        new CloudEventGridTopic(scope, "topic", { ...place, diagnostics: {} });
      }),
    ).toEqual(["diagnostics: required"]);
  });
});
