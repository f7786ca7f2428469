import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startManaged } from "../local/support/cloud.js";
import { root } from "../support/project.js";
import { pages } from "./snippets.js";

/** Resource types of azurerm, without the prefix, and those of Resource Manager that they create. */
const types: Readonly<Record<string, string>> = {
  container_app: "Microsoft.App/containerApps",
  container_app_environment: "Microsoft.App/managedEnvironments",
  eventgrid_event_subscription: "Microsoft.EventGrid/eventSubscriptions",
  eventgrid_topic: "Microsoft.EventGrid/topics",
  eventhub: "Microsoft.EventHub/namespaces/eventhubs",
  eventhub_namespace: "Microsoft.EventHub/namespaces",
  iothub: "Microsoft.Devices/IotHubs",
  log_analytics_workspace: "Microsoft.OperationalInsights/workspaces",
  managed_redis: "Microsoft.Cache/redisEnterprise",
  monitor_action_group: "Microsoft.Insights/actionGroups",
  monitor_diagnostic_setting: "Microsoft.Insights/diagnosticSettings",
  monitor_metric_alert: "Microsoft.Insights/metricAlerts",
  private_dns_zone: "Microsoft.Network/privateDnsZones",
  private_dns_zone_virtual_network_link: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
  private_endpoint: "Microsoft.Network/privateEndpoints",
  redis_cache: "Microsoft.Cache/Redis",
  resource_group: "Microsoft.Resources/resourceGroups",
  role_assignment: "Microsoft.Authorization/roleAssignments",
  servicebus_namespace: "Microsoft.ServiceBus/namespaces",
  servicebus_subscription: "Microsoft.ServiceBus/namespaces/topics/subscriptions",
  servicebus_topic: "Microsoft.ServiceBus/namespaces/topics",
  signalr_service: "Microsoft.SignalRService/SignalR",
  storage_account: "Microsoft.Storage/storageAccounts",
  storage_container: "Microsoft.Storage/storageAccounts/blobServices/containers",
  subnet: "Microsoft.Network/virtualNetworks/subnets",
  user_assigned_identity: "Microsoft.ManagedIdentity/userAssignedIdentities",
  virtual_network: "Microsoft.Network/virtualNetworks",
};

/** What pages, examples, generated projects, constructs and the Terraform module create. */
function deployed(): string[] {
  const files = ["examples", "cli/templates", "lib", "terraform"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|tf)$/.test(file) && !/(^|[/\\])(node_modules|dist)[/\\]/.test(file))
      .map((file) => join(folder, file)),
  );
  const texts = [...pages(), ...files].map((file) => readFileSync(join(root, file), "utf8"));
  const patterns = [
    /^import \{[^}]*\} from "@cdkt[fn]\/provider-azurerm\/lib\/(?!data-|provider\/)([\w-]+)/gm,
    /^resource "azurerm_(\w+)"/gm,
    /(Microsoft\.[\w/]+)@/g,
  ];
  const found = texts.flatMap((text) => patterns.flatMap((each) => [...text.matchAll(each)]));
  return [...new Set(found.map(([, name = ""]) => name.replaceAll("-", "_")))].sort();
}

it("the local Azure serves every resource type that pages, examples, projects and constructs create", async () => {
  const { call } = await startManaged();
  const { body } = await call("GET", "/providers");
  const listed = JSON.parse(JSON.stringify(body)).value as {
    namespace: string;
    resourceTypes: { resourceType: string }[];
  }[];
  const served = listed.flatMap(({ namespace, resourceTypes }) =>
    resourceTypes.map(({ resourceType }) => `${namespace}/${resourceType}`.toLowerCase()),
  );
  const isServed = (name: string) => served.includes((types[name] ?? name).toLowerCase());
  const all = deployed();
  expect(all).toContain("private_dns_zone");
  expect(all.filter((name) => !isServed(name))).toEqual([]);
});
