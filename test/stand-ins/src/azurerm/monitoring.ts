import { blockList, type Fields, sameNames } from "../provider/fields.js";
import { type Attributes, at, objects } from "../values/value.js";
import type { ManagedResource } from "./managed-resource.js";

const IN_GROUP =
  "/subscriptions/{subscription}/resourceGroups/{resource_group_name}/providers/Microsoft.Insights";

export const metricAlert: ManagedResource = {
  id: `${IN_GROUP}/metricAlerts/{name}`,
  apiVersion: "2018-03-01",
  named: "Metric Alert",
  fields: {
    tags: "tags",
    ...sameNames("properties.", "auto_mitigate", "description", "enabled", "scopes", "severity"),
    frequency: "properties.evaluationFrequency",
    window_size: "properties.windowSize",
    target_resource_location: "properties.targetResourceRegion",
    target_resource_type: "properties.targetResourceType",
    action: blockList("properties.actions", {
      action_group_id: "actionGroupId",
      webhook_properties: "webHookProperties",
    }),
    criteria: blockList("properties.criteria.allOf", {
      ...sameNames("", "metric_name", "metric_namespace", "operator", "threshold"),
      skip_metric_validation: "skipMetricValidation",
      aggregation: "timeAggregation",
      dimension: blockList("dimensions", sameNames("", "name", "operator", "values")),
    }),
  },
  forceNew: ["name", "resource_group_name"],
  defaults: {
    auto_mitigate: true,
    enabled: true,
    frequency: "PT1M",
    severity: 3,
    window_size: "PT5M",
  },
  write: ({ properties, ...body }) => ({
    ...body,
    location: "global",
    properties: {
      ...Object(properties),
      criteria: {
        "odata.type": "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria",
        allOf: objects(properties ?? null, "criteria.allOf").map((criterion, index) => ({
          ...criterion,
          criterionType: "StaticThresholdCriterion",
          name: `Metric${index + 1}`,
        })),
      },
    },
  }),
};

export const actionGroup: ManagedResource = {
  id: `${IN_GROUP}/actionGroups/{name}`,
  apiVersion: "2023-01-01",
  named: "Action Group",
  fields: {
    location: "location",
    tags: "tags",
    enabled: "properties.enabled",
    short_name: "properties.groupShortName",
    webhook_receiver: blockList(
      "properties.webhookReceivers",
      sameNames("", "name", "service_uri", "use_common_alert_schema"),
    ),
  },
  forceNew: ["name", "resource_group_name", "location"],
  defaults: { enabled: true, location: "global" },
};

export const diagnosticSetting: ManagedResource = {
  id: "{target_resource_id}/providers/Microsoft.Insights/diagnosticSettings/{name}",
  apiVersion: "2021-05-01-preview",
  named: "Monitor Diagnostics Setting",
  fields: {
    eventhub_authorization_rule_id: "properties.eventHubAuthorizationRuleId",
    eventhub_name: "properties.eventHubName",
    log_analytics_workspace_id: "properties.workspaceId",
    storage_account_id: "properties.storageAccountId",
    enabled_log: enabled("properties.logs", sameNames("", "category", "category_group")),
    enabled_metric: enabled("properties.metrics", sameNames("", "category")),
  },
  forceNew: ["name", "target_resource_id"],
};

/** The categories that are enabled. */
function enabled(path: string, fields: Fields): Fields[string] {
  const { read, write } = blockList(path, fields);
  const isEnabled = (each: Attributes) => at(each, "enabled") === true;
  return {
    path,
    read: (json) => read?.(objects({ json }, "json").filter(isEnabled)) ?? null,
    write: (value) =>
      objects({ value: write?.(value) ?? null }, "value").map((each) => ({
        ...each,
        enabled: true,
      })),
  };
}
