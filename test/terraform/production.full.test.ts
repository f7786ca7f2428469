import { MonitorActionGroup } from "@cdktf/provider-azurerm/lib/monitor-action-group/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import {
  type BindingAlertOptions,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { type AzurermRelease, azurermReleases } from "../stand-ins/src/index.js";
import { createNetwork, networkId } from "./network.js";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
let release: AzurermRelease;

type Shared = Pick<
  CloudEventGridTopicProps,
  "privateEndpoints" | "diagnostics" | "protect" | "tags"
>;

/** What the stack asks for beyond the defaults. */
interface Settings {
  readonly shared?: Shared;
  readonly alerts?: Omit<BindingAlertOptions, "actionGroupId" | "systemTopics">;
}

const providers = () => `${shop.group}/providers`;

const everySetting = (): Settings => ({
  shared: {
    privateEndpoints: [
      {
        subnetId: `${networkId(shop.cloud)}/subnets/services`,
        privateDnsZoneIds: [
          `${providers()}/Microsoft.Network/privateDnsZones/privatelink.eventgrid.azure.net`,
        ],
      },
    ],
    diagnostics: {
      logAnalyticsWorkspaceId: `${providers()}/Microsoft.OperationalInsights/workspaces/shop`,
    },
    protect: true,
    tags: { team: "shop" },
  },
  alerts: { silence: true },
});

/** A topic with a webhook, a namespace with a receiver, and an Azure service as a source. */
async function write({ shared = {}, alerts }: Settings): Promise<void> {
  const { protect = false, diagnostics } = shared;
  const vault = `${providers()}/Microsoft.KeyVault/vaults/shop`;
  await shop.write((stack) => {
    if (release.startsWith("5")) {
      stack.addOverride("terraform.required_providers.azurerm.version", "~> 5.2");
    }
    const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
    const place = { resourceGroupName: group.name, location: group.location };
    const oncall = new MonitorActionGroup(stack, "oncall", {
      name: "oncall",
      resourceGroupName: group.name,
      shortName: "oncall",
    });
    const topic = new CloudEventGridTopic(stack, "topic", {
      ...place,
      topicName: "orders",
      ...shared,
    });
    const binding = shop.binding(stack, {
      scope: topic.id,
      protect,
    });
    const namespace = new CloudEventGridNamespace(stack, "events", {
      ...place,
      namespaceName: "shop-events",
      ...shared,
    });
    const uploads = namespace.addTopic("uploads", { protect });
    const pull = new CloudEventGridPullBinding(stack, "pull", {
      topic: uploads,
      eventSubscriptionName: "shop",
      receiver: [],
      protect,
    });
    uploads.addSource("keys", {
      scope: vault,
      location: group.location,
      eventSubscriptionName: "keys",
      roleEffectSeconds: 0,
      protect,
      ...(diagnostics && { diagnostics }),
    });
    if (alerts === undefined) return;
    const { deliveryFailures: _, ...both } = alerts;
    topic.alerts({ actionGroupId: oncall.id, ...alerts });
    binding.alerts({ actionGroupId: oncall.id, ...alerts });
    pull.alerts({ actionGroupId: oncall.id, ...both });
  });
}

async function expectClean(settings: Settings, changes?: readonly string[]): Promise<void> {
  await write(settings);
  const applied = await shop.apply();
  if (changes !== undefined) expect([...new Set(applied)]).toEqual(changes);
  expect(await shop.plan()).toEqual([]);
}

/** Resources of Resource Manager, by the end of their IDs. */
async function get(path: string): Promise<unknown> {
  const call = await signIn(shop.cloud);
  return (await call("GET", `${providers()}/${path}`)).body;
}

describeWithTerraform("a stack that is ready for production", () => {
  describe.each(azurermReleases)("azurerm %s", (each) => {
    beforeEach(async () => {
      release = each;
      shop = await Scenario.start({}, {}, "real", release);
      await createNetwork(shop.cloud);
    });
    afterEach(() => shop.stop());

    it("has every setting, changes it, and loses it again", async () => {
      const all = everySetting();
      const { shared = {} } = all;
      await expectClean(all);
      expect(await get("Microsoft.EventGrid/topics/orders")).toMatchObject({
        identity: { type: "SystemAssigned" },
        tags: { team: "shop" },
        properties: { disableLocalAuth: true, publicNetworkAccess: "Disabled" },
      });
      expect(await get("Microsoft.Insights/metricAlerts")).toMatchObject({
        value: { length: 14 },
      });

      await expectClean(
        { shared: { ...shared, tags: { team: "orders" } }, alerts: { silence: { threshold: 1 } } },
        [
          "update azapi_resource",
          "update azurerm_eventgrid_topic",
          "update azurerm_monitor_metric_alert",
          "update azurerm_private_endpoint",
        ],
      );
      const storageAccountId = `${providers()}/Microsoft.Storage/storageAccounts/logs`;
      await expectClean({ shared: { ...shared, diagnostics: { storageAccountId } }, alerts: {} }, [
        "delete azurerm_monitor_metric_alert",
        "update azapi_resource",
        "update azurerm_eventgrid_topic",
        "update azurerm_monitor_diagnostic_setting",
        "update azurerm_monitor_metric_alert",
        "update azurerm_private_endpoint",
      ]);
    });

    it("is destroyed only when nothing is protected any more", async () => {
      const all = everySetting();
      const { protect: _, ...unprotected } = all.shared ?? {};
      await expectClean(all);
      const refused = await shop.terraform.destroy().catch((error: Error) => error.message);
      expect(refused).toMatch(/instance cannot be destroyed/i);
      expect(shop.cloud.eventSubscriptions.list().map(({ name }) => name)).toContain("orders");

      await expectClean({ shared: unprotected }, ["delete azurerm_monitor_metric_alert"]);
      await expectClean({ shared: { tags: { team: "shop" } } }, [
        "delete azurerm_monitor_diagnostic_setting",
        "delete azurerm_private_endpoint",
        "update azapi_resource",
        "update azurerm_eventgrid_topic",
      ]);
      await expectClean({}, ["update azapi_resource", "update azurerm_eventgrid_topic"]);
      expect(await get("Microsoft.EventGrid/topics/orders")).toMatchObject({
        properties: { publicNetworkAccess: "Enabled" },
      });
      await shop.destroyAll();
    });
  });
});
