import { MonitorDiagnosticSetting } from "@cdktf/provider-azurerm/lib/monitor-diagnostic-setting/index.js";
import type { TerraformProvider } from "cdktf";
import { azureRules, nonEmptyString, problem } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { defined } from "../terraform/index.js";
import { group, required } from "../validation/index.js";

/** Where a resource's logs and metrics are stored; at least one of the three. */
export interface Diagnostics {
  /** Resource ID of a Log Analytics workspace. */
  readonly logAnalyticsWorkspaceId?: string;
  /** Resource ID of a storage account. */
  readonly storageAccountId?: string;
  readonly eventHub?: DiagnosticsEventHub;
}

/** An event hub that receives logs and metrics. */
export interface DiagnosticsEventHub {
  /** Resource ID of an authorization rule of the namespace, with the rights Manage, Send and Listen. */
  readonly authorizationRuleId: string;
  /** @default one that Azure creates for each category */
  readonly name?: string;
}

export const diagnosticsCheck = group<Diagnostics>(
  {
    logAnalyticsWorkspaceId: azureRules.resourceId,
    storageAccountId: azureRules.resourceId,
    eventHub: group<DiagnosticsEventHub>({
      authorizationRuleId: required(azureRules.resourceId),
      name: nonEmptyString,
    }),
  },
  {
    together({ logAnalyticsWorkspaceId, storageAccountId, eventHub }, field) {
      if (logAnalyticsWorkspaceId ?? storageAccountId ?? eventHub) return [];
      const message = "must have a logAnalyticsWorkspaceId, a storageAccountId or an eventHub";
      return [problem(field, { required: message })];
    },
  },
);

/**
 * The categories of logs that each type of resource has. Those of MQTT in namespaces are left out,
 * because nothing here uses MQTT.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-logs/microsoft-eventgrid-topics-logs
 * and the same for `systemtopics` and `namespaces`
 */
export const logCategories = {
  topic: ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"],
  systemTopic: ["DeliveryFailures"],
  namespace: ["FailedHttpDataPlaneOperations", "SuccessfulHttpDataPlaneOperations"],
} as const;

/** Stores the logs and metrics of a resource. */
export function diagnosticSetting(
  owner: Construct,
  resourceId: string,
  type: keyof typeof logCategories,
  { logAnalyticsWorkspaceId, storageAccountId, eventHub }: Diagnostics,
  azurerm: TerraformProvider | undefined,
): void {
  new MonitorDiagnosticSetting(owner, "diagnostics", {
    name: "cloud-eventgrid",
    targetResourceId: resourceId,
    enabledLog: logCategories[type].map((category) => ({ category })),
    enabledMetric: [{ category: "AllMetrics" }],
    ...defined({
      logAnalyticsWorkspaceId,
      storageAccountId,
      eventhubAuthorizationRuleId: eventHub?.authorizationRuleId,
      eventhubName: eventHub?.name,
      provider: azurerm,
    }),
  });
}
