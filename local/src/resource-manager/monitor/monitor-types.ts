import type { ResourceType } from "../engine/index.js";
import type { MetricAlerts } from "./metric-alerts.js";

/** Azure Monitor. Action groups and diagnostic settings are stored, and have no effect. */
export function monitorTypes(alerts: MetricAlerts): readonly ResourceType[] {
  return [
    {
      type: "Microsoft.Insights/metricAlerts",
      location: "global",
      writeStatus: 200,
      onWrite: (rule, { before }) => alerts.write(rule, before),
      onDelete: (rule) => alerts.delete(rule),
      properties: () => ({ enabled: true, autoMitigate: true, actions: [] }),
    },
    { type: "Microsoft.Insights/actionGroups", location: "global", writeStatus: 200 },
    {
      type: "Microsoft.Insights/diagnosticSettings",
      scope: "any",
      writeStatus: 200,
      isTracked: false,
    },
  ];
}
