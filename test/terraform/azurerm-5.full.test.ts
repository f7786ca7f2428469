import { LogAnalyticsWorkspace } from "@cdktf/provider-azurerm/lib/log-analytics-workspace/index.js";
import { MonitorActionGroup } from "@cdktf/provider-azurerm/lib/monitor-action-group/index.js";
import { PrivateDnsZone } from "@cdktf/provider-azurerm/lib/private-dns-zone/index.js";
import { PrivateDnsZoneVirtualNetworkLink } from "@cdktf/provider-azurerm/lib/private-dns-zone-virtual-network-link/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { Subnet } from "@cdktf/provider-azurerm/lib/subnet/index.js";
import { VirtualNetwork } from "@cdktf/provider-azurerm/lib/virtual-network/index.js";
import {
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  sources,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start({}, {}, "real", "5.2.0");
});
afterEach(() => shop.stop());

/** What users write for azurerm 5, and a resource group with everything for operations. */
function prepare(stack: ShopStack) {
  stack.addOverride("terraform.required_providers.azurerm.version", "~> 5.2");
  const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
  const place = { resourceGroupName: group.name, location: group.location };
  const oncall = new MonitorActionGroup(stack, "oncall", {
    name: "oncall",
    resourceGroupName: group.name,
    shortName: "oncall",
  });
  const account = new StorageAccount(stack, "account", {
    ...place,
    name: "shopfiles",
    accountTier: "Standard",
    accountReplicationType: "LRS",
  });
  const container = new StorageContainer(stack, "dead", {
    name: "dead",
    storageAccountId: account.id,
  });
  const { resourceGroupName } = place;
  const network = new VirtualNetwork(stack, "network", {
    ...place,
    name: "shop",
    addressSpace: ["10.0.0.0/16"],
  });
  const subnet = new Subnet(stack, "services", {
    name: "services",
    resourceGroupName,
    virtualNetworkName: network.name,
    addressPrefixes: ["10.0.1.0/24"],
  });
  const zone = new PrivateDnsZone(stack, "zone", {
    name: "privatelink.eventgrid.azure.net",
    resourceGroupName,
  });
  const link = new PrivateDnsZoneVirtualNetworkLink(stack, "link", {
    name: "shop",
    resourceGroupName,
    privateDnsZoneName: zone.name,
    virtualNetworkId: network.id,
  });
  // azurerm 5 takes the ID of the zone instead.
  link.addOverride("private_dns_zone_id", zone.id);
  for (const name of ["resource_group_name", "private_dns_zone_name"]) {
    link.addOverride(name, undefined);
  }
  const workspace = new LogAnalyticsWorkspace(stack, "logs", { ...place, name: "shop" });
  const operations = {
    privateEndpoints: [{ subnetId: subnet.id, privateDnsZoneIds: [zone.id] }],
    diagnostics: { logAnalyticsWorkspaceId: workspace.id },
    tags: { team: "shop" },
  };
  return { place, account, container, operations, alerts: { actionGroupId: oncall.id } };
}

/** Deliveries by push: a topic, further scopes, two ways to name the application, alerts. */
function pushed(stack: ShopStack, clientId: string, changed: object): void {
  const { place, account, container, operations, alerts } = prepare(stack);
  const topic = new CloudEventGridTopic(stack, "topic", {
    ...place,
    topicName: "orders",
    ...operations,
  });
  topic.grantPublish(shop.tenant.servicePrincipals.list()[0]?.objectId ?? "");
  topic.alerts({ ...alerts, silence: true });
  shop.binding(stack, {
    application: WebhookApplication.fromClientId(stack, "known", { clientId }),
    scope: topic.id,
    roleEffectSeconds: 0,
    deadLetter: { storageAccount: account, container, identity: { type: "SystemAssigned" } },
    additionalScopes: {
      uploads: {
        ...sources.objectStorage(account, { container: "inbox" }),
        deadLetter: { storageAccount: account, container },
      },
    },
    ...changed,
  });
}

/** A namespace with a queue and an Azure service as a source. */
function pulled(stack: ShopStack, changed: object): void {
  const { place, account, container, operations, alerts } = prepare(stack);
  const namespace = new CloudEventGridNamespace(stack, "events", {
    ...place,
    namespaceName: "shop-events",
    ...operations,
  });
  const topic = namespace.addTopic("orders");
  const pull = new CloudEventGridPullBinding(stack, "orders", {
    topic,
    eventSubscriptionName: "shop",
    receiver: [],
    roleEffectSeconds: 0,
    deadLetter: { storageAccount: account, container },
    ...changed,
  });
  pull.alerts(alerts);
  topic.addSource("uploads", {
    ...sources.objectStorage(account, { container: "inbox" }),
    location: account.location,
    diagnostics: operations.diagnostics,
    roleEffectSeconds: 0,
  });
}

const filters = [where("subject").stringBeginsWith("orders/")];

describeWithTerraform("with azurerm 5, a sample of every kind of stack", () => {
  it.each<[string, (stack: ShopStack, clientId: string, isChanged: boolean) => void]>([
    [
      "that receives by push",
      (stack, clientId, isChanged) =>
        pushed(stack, clientId, isChanged ? { advancedFilters: filters, labels: ["shop"] } : {}),
    ],
    [
      "that is pulled from",
      (stack, _, isChanged) => pulled(stack, isChanged ? { filters, maxDeliveryCount: 3 } : {}),
    ],
  ])("%s is created, changed and destroyed", async (_, build) => {
    const clientId = shop.newApplication();
    await shop.write((stack) => build(stack, clientId, false));
    await shop.terraform.validate();
    expect(await shop.applyCleanly()).toEqual(
      expect.arrayContaining(["create azurerm_private_endpoint", "create azurerm_storage_account"]),
    );
    await shop.write((stack) => build(stack, clientId, true));
    expect((await shop.applyCleanly()).length).toBeGreaterThan(0);
    await shop.destroyAll();
  });
});
