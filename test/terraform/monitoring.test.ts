import { MonitorActionGroup } from "@cdktf/provider-azurerm/lib/monitor-action-group/index.js";
import { MonitorDiagnosticSetting } from "@cdktf/provider-azurerm/lib/monitor-diagnostic-setting/index.js";
import { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import { PrivateEndpoint } from "@cdktf/provider-azurerm/lib/private-endpoint/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { CloudEventGridTopic } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** A topic with everything that a deployment adds for its operation. */
function monitored(stack: ShopStack, settings: { severity: number; zones: string[] }) {
  const group = new ResourceGroup(stack, "group", { name: "shop", location: "West Europe" });
  const place = { resourceGroupName: group.name };
  const topic = new CloudEventGridTopic(stack, "topic", {
    ...place,
    location: group.location,
    topicName: "orders",
  });
  shop.binding(stack, {
    scope: topic.id,
  });
  const actionGroup = new MonitorActionGroup(stack, "on-call", {
    ...place,
    name: "on-call",
    shortName: "on-call",
    webhookReceiver: [{ name: "chat", serviceUri: "https://chat.example.com/alerts" }],
  });
  new MonitorMetricAlert(stack, "failures", {
    ...place,
    name: "failures",
    scopes: [topic.id],
    severity: settings.severity,
    criteria: [
      {
        metricNamespace: "Microsoft.EventGrid/topics",
        metricName: "DeliveryAttemptFailCount",
        aggregation: "Total",
        operator: "GreaterThan",
        threshold: 0,
        dimension: [{ name: "EventSubscriptionName", operator: "Include", values: ["*"] }],
      },
    ],
    action: [{ actionGroupId: actionGroup.id }],
  });
  const network = `${shop.subscription}/resourceGroups/network/providers`;
  new MonitorDiagnosticSetting(stack, "logs", {
    name: "failures",
    targetResourceId: topic.id,
    logAnalyticsWorkspaceId: `${network}/Microsoft.OperationalInsights/workspaces/logs`,
    enabledLog: [{ category: "DeliveryFailures" }, { category: "PublishFailures" }],
    enabledMetric: [{ category: "AllMetrics" }],
  });
  new PrivateEndpoint(stack, "endpoint", {
    ...place,
    name: "orders",
    location: group.location,
    subnetId: `${network}/Microsoft.Network/virtualNetworks/shop/subnets/endpoints`,
    privateServiceConnection: {
      name: "orders",
      isManualConnection: false,
      privateConnectionResourceId: topic.id,
      subresourceNames: ["topic"],
    },
    privateDnsZoneGroup: {
      name: "default",
      privateDnsZoneIds: settings.zones.map(
        (zone) => `${network}/Microsoft.Network/privateDnsZones/${zone}`,
      ),
    },
  });
}

describeWithTerraform("a topic with alert, diagnostics and private endpoint", () => {
  const zone = "privatelink.eventgrid.azure.net";

  it("is created, changed and destroyed, with empty plans in between", async () => {
    await shop.write((stack) => monitored(stack, { severity: 0, zones: [zone] }));
    const created = await shop.apply();
    expect(created).toEqual(
      expect.arrayContaining([
        "create azurerm_monitor_action_group",
        "create azurerm_monitor_diagnostic_setting",
        "create azurerm_monitor_metric_alert",
        "create azurerm_private_endpoint",
      ]),
    );
    expect(await shop.plan()).toEqual([]);

    const zones = ["privatelink.example.com", zone];
    await shop.write((stack) => monitored(stack, { severity: 1, zones }));
    expect(await shop.apply()).toEqual([
      "update azurerm_monitor_metric_alert",
      "update azurerm_private_endpoint",
    ]);
    expect(await shop.plan()).toEqual([]);

    await shop.destroyAll();
    const call = await signIn(shop.cloud);
    const rules = `${shop.subscription}/providers/Microsoft.Insights/metricAlerts`;
    expect((await call("GET", rules)).body).toEqual({ value: [] });
  });
});
