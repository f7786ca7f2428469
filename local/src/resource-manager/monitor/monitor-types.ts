import { ServiceError, textAt } from "../../base/index.js";
import type { ResourceType } from "../engine/index.js";
import type { EventGridState } from "../event-grid/index.js";
import { diagnosticTypes } from "./diagnostic-settings.js";
import type { MetricAlerts } from "./metric-alerts.js";

const RECEIVERS = [
  ...["email", "sms", "webhook", "itsm", "azureAppPush", "automationRunbook", "voice"],
  ...["logicApp", "azureFunction", "armRole", "eventHub"],
].map((kind) => `${kind}Receivers`);

/** Azure Monitor. */
export function monitorTypes(
  { resources }: EventGridState,
  alerts: MetricAlerts,
): readonly ResourceType[] {
  return [
    {
      type: "Microsoft.Insights/metricAlerts",
      location: "global",
      writeStatus: 200,
      onWrite: (rule, { before }) => alerts.write(rule, before),
      onDelete: (rule) => alerts.delete(rule),
      properties: () => ({ enabled: true, autoMitigate: true, actions: [] }),
    },
    {
      type: "Microsoft.Insights/actionGroups",
      location: "global",
      writeStatus: 200,
      onWrite: (group) => {
        const name = textAt(group.body, "properties", "groupShortName") ?? "";
        if (name.length > 0 && name.length <= 12) return group;
        throw new ServiceError(
          400,
          "BadRequest",
          `The short name of an action group must have 1 to 12 characters, not '${name}'.`,
        );
      },
      properties: () => ({
        enabled: true,
        ...Object.fromEntries(RECEIVERS.map((receivers) => [receivers, []])),
      }),
    },
    ...diagnosticTypes(resources),
  ];
}
