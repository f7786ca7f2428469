import { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import type { TerraformProvider } from "cdktf";
import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { Construct } from "constructs";
import { defined, resourceIdSegment, tagged } from "../terraform/index.js";
import { defaultName } from "../validation/index.js";
import type { AlertRule, CommonAlertOptions } from "./alert-rules.js";
import { type MetricRule, windows } from "./alert-rules.js";

/** The resource that alerts watch. */
export interface AlertTarget {
  /** Construct id of the alerts within their owner. */
  readonly id: string;
  /** Resource ID of the topic, system topic or namespace whose metrics count. */
  readonly resourceId: string;
  readonly metricNamespace: string;
  /** The dimensions of the event subscription, by name; for rules that count by subscription. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly azurerm: TerraformProvider | undefined;
}

/** Creates the alerts that options do not switch off, next to what they are about. */
export function createAlerts<Rules extends Readonly<Record<string, MetricRule>>>(
  owner: Construct,
  target: AlertTarget,
  rules: Rules,
  options: CommonAlertOptions & { readonly [Name in keyof Rules]?: boolean | AlertRule },
): MonitorMetricAlert[] {
  const home = new Construct(owner, target.id);
  const chosenBy: Readonly<Record<string, unknown>> = { ...options };
  return Object.entries(rules).flatMap(([name, rule]) => {
    const chosen = chosenBy[name] ?? !rule.isOptional;
    if (chosen === false) return [];
    return [
      alert(home, name, target, { ...rule, ...(isObject(chosen) && defined(chosen)) }, options),
    ];
  });
}

function alert(
  home: Construct,
  name: string,
  { resourceId, metricNamespace, dimensions, azurerm }: AlertTarget,
  rule: MetricRule,
  { actionGroupId, tags }: CommonAlertOptions,
): MonitorMetricAlert {
  return new MonitorMetricAlert(home, name, {
    name: `${defaultName(home, "alert")}-${name}`,
    resourceGroupName: resourceIdSegment(resourceId, 4),
    scopes: [resourceId],
    description: rule.description,
    severity: rule.severity,
    windowSize: windows.get(rule.windowMinutes) ?? "PT1H",
    // Azure allows no short frequency for windows of hours.
    frequency: rule.windowMinutes > 60 ? "PT1H" : "PT5M",
    criteria: [
      {
        metricNamespace,
        metricName: rule.metric,
        aggregation: "Total",
        operator: rule.operator,
        threshold: rule.threshold,
        ...(rule.bySubscription && {
          dimension: Object.entries(dimensions).map(([dimension, value]) => ({
            name: dimension,
            operator: "Include",
            values: [value],
          })),
        }),
      },
    ],
    action: [{ actionGroupId }],
    ...tagged(tags),
    ...defined({ provider: azurerm }),
  });
}
