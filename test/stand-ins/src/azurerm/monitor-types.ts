import type { Json, JsonObject } from "../cloud/json-client.js";
import { at, isObject, listAt } from "../cloud/json-client.js";
import { blocks } from "../provider/provider.js";
import { type Fields, sameNames } from "../tables/fields.js";
import type { ManagedResource } from "../tables/managed-resource.js";
import type { Attributes, Value } from "../values/value.js";

const GROUP = "/subscriptions/{subscription}/resourceGroups/{resource_group_name}";

/** Numbers of which zero is a value. */
const number = (path: string) => ({
  path,
  write: (value: Value) => (typeof value === "number" ? value : undefined),
});

export const metricAlert: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.Insights/metricAlerts/{name}`,
  apiVersion: "2018-03-01",
  named: 'Metric Alert (Resource Group Name: "{resource_group_name}", Metric Alert Name: "{name}")',
  fields: {
    tags: "tags",
    auto_mitigate: "properties.autoMitigate",
    description: "properties.description",
    enabled: "properties.enabled",
    frequency: "properties.evaluationFrequency",
    scopes: "properties.scopes",
    severity: number("properties.severity"),
    target_resource_location: "properties.targetResourceRegion",
    target_resource_type: "properties.targetResourceType",
    window_size: "properties.windowSize",
    action: {
      path: "properties.actions",
      fields: { action_group_id: "actionGroupId", webhook_properties: "webHookProperties" },
    },
    criteria: {
      path: "properties.criteria.allOf",
      fields: {
        ...sameNames("metric_name", "metric_namespace", "operator", "skip_metric_validation"),
        aggregation: "timeAggregation",
        threshold: number("threshold"),
        dimension: { path: "dimensions", fields: sameNames("name", "operator", "values") },
      },
    },
  },
  forceNew: ["name", "resource_group_name"],
  defaults: {
    auto_mitigate: true,
    enabled: true,
    frequency: "PT1M",
    severity: 3,
    window_size: "PT5M",
  },
  write(body) {
    const criteria = listAt(body, "properties", "criteria", "allOf");
    if (criteria.length === 0) throw new Error("this stand-in has only alerts with `criteria`");
    return {
      ...body,
      location: "global",
      properties: {
        ...objectOf(at(body, "properties")),
        criteria: {
          "odata.type": "Microsoft.Azure.Monitor.MultipleResourceMultipleMetricCriteria",
          allOf: criteria.map((each, index) => ({
            ...objectOf(each),
            criterionType: "StaticThresholdCriterion",
            name: `Metric${index + 1}`,
          })),
        },
      },
    };
  },
};

/** The receivers of an action group, by the name of their block. */
function receivers(kind: string, ...names: string[]): Fields {
  const path = `properties.${kind.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())}Receivers`;
  return { [`${kind}_receiver`]: { path, fields: sameNames("name", ...names) } };
}

export const actionGroup: ManagedResource = {
  id: `${GROUP}/providers/Microsoft.Insights/actionGroups/{name}`,
  apiVersion: "2023-01-01",
  named: 'Action Group (Resource Group Name: "{resource_group_name}", Action Group Name: "{name}")',
  fields: {
    location: "location",
    tags: "tags",
    enabled: "properties.enabled",
    short_name: "properties.groupShortName",
    ...receivers("arm_role", "role_id", "use_common_alert_schema"),
    ...receivers("email", "email_address", "use_common_alert_schema"),
    ...receivers("sms", "country_code", "phone_number"),
    ...receivers("webhook", "service_uri", "use_common_alert_schema"),
  },
  forceNew: ["name", "resource_group_name", "location"],
  defaults: { enabled: true, location: "global" },
};

export const diagnosticSetting: ManagedResource = {
  id: "{target_resource_id}/providers/Microsoft.Insights/diagnosticSettings/{name}",
  idInState: {
    of: (id) => id.replace(/\/providers\/Microsoft\.Insights\/diagnosticSettings\//, "|"),
    from: (id) => id.replace("|", "/providers/Microsoft.Insights/diagnosticSettings/"),
  },
  apiVersion: "2021-05-01-preview",
  named: 'Monitor Diagnostics Setting "{name}" for Resource "{target_resource_id}"',
  fields: {
    eventhub_authorization_rule_id: "properties.eventHubAuthorizationRuleId",
    eventhub_name: "properties.eventHubName",
    log_analytics_destination_type: "properties.logAnalyticsDestinationType",
    log_analytics_workspace_id: "properties.workspaceId",
    partner_solution_id: "properties.marketplacePartnerId",
    storage_account_id: "properties.storageAccountId",
    enabled_log: enabled("logs", "category", "category_group"),
    enabled_metric: enabled("metrics", "category"),
  },
  forceNew: ["name", "target_resource_id"],
};

/** The categories that are enabled. */
function enabled(list: string, ...names: string[]): Exclude<Fields[string], string> {
  const camel = Object.entries(sameNames(...names));
  return {
    path: `properties.${list}`,
    read: (json) =>
      (Array.isArray(json) ? json : [])
        .filter((each) => isObject(each) && each.enabled === true)
        .map((each) =>
          Object.fromEntries(camel.map(([name, path]) => [name, at(each, path) ?? null])),
        ) as Attributes[],
    write: (value) =>
      blocks({ value }, "value").map((each) => ({
        ...Object.fromEntries(
          camel.flatMap(([name, path]) => (each[name] ? [[path, each[name] as Json]] : [])),
        ),
        enabled: true,
      })),
  };
}

function objectOf(json: Json | undefined): JsonObject {
  return isObject(json) ? json : {};
}
