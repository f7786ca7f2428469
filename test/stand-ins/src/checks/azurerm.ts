import {
  between,
  type Checks,
  idOf,
  matching,
  notEmpty,
  oneOf,
  resourceId,
  uuid,
} from "./checks.js";

const privateLinkName = matching(
  /^[a-zA-Z\d]([\w.-]{0,78}\w)?$/,
  "to be 1 - 80 letters, digits, underscores, periods or hyphens",
);
const resourceGroupName = matching(/^(?=.{1,90}$)[\w().-]*[\w()-]$/, "to be a resource group");
const storageAccount = idOf("Microsoft.Storage/storageAccounts");
const zone = idOf("Microsoft.Network/privateDnsZones");
const subnet = idOf("Microsoft.Network/virtualNetworks/subnets");
const nameIn = { name: notEmpty, resource_group_name: resourceGroupName };
const key = { key: notEmpty };

/**
 * The checks of azurerm for what constructs and modules set, in the words of its source: event_subscription_schema.go,
 * eventgrid_topic_resource.go, role_assignment_resource.go and the like. They are the same in 4.55 and 5.2.
 */
export const azurermChecks: Readonly<Record<string, Checks>> = {
  azurerm_eventgrid_event_subscription: {
    name: matching(/^[-a-zA-Z0-9]{3,64}$/, "to be 3 - 64 letters, numbers and hyphens"),
    scope: notEmpty,
    event_delivery_schema: oneOf(
      ...["EventGridSchema", "CloudEventSchemaV1_0", "CustomInputSchema"],
    ),
    expiration_time_utc: notEmpty,
    included_event_types: notEmpty,
    webhook_endpoint: {
      url: matching(/^https:\/\/[^/]/i, "to have a url with schema of: https"),
      max_events_per_batch: between(1, 5000),
      preferred_batch_size_in_kilobytes: between(1, 1024),
    },
    storage_queue_endpoint: { storage_account_id: storageAccount, queue_name: notEmpty },
    storage_blob_dead_letter_destination: {
      storage_account_id: storageAccount,
      storage_blob_container_name: notEmpty,
    },
    dead_letter_identity: { type: oneOf("SystemAssigned", "UserAssigned") },
    delivery_property: { type: oneOf("Static", "Dynamic") },
    retry_policy: { max_delivery_attempts: between(1, 30), event_time_to_live: between(1, 1440) },
    advanced_filter: Object.fromEntries(
      ["bool_equals", "is_not_null", "is_null_or_undefined"]
        .concat(
          ...["in", "not_in", "in_range", "not_in_range"].map((end) => `number_${end}`),
          ...["greater_than", "less_than"].flatMap((end) => [
            `number_${end}`,
            `number_${end}_or_equals`,
          ]),
          ...["in", "begins_with", "ends_with", "contains"].flatMap((end) => [
            `string_${end}`,
            `string_not_${end}`,
          ]),
        )
        .map((operator) => [operator, key]),
    ),
  },
  azurerm_eventgrid_topic: {
    name: matching(/^[-a-zA-Z0-9]{3,50}$/, "to be 3 - 50 letters, numbers and hyphens"),
    resource_group_name: resourceGroupName,
    input_schema: oneOf("CloudEventSchemaV1_0", "CustomEventSchema", "EventGridSchema"),
    identity: {
      type: oneOf("SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned"),
      identity_ids: idOf("Microsoft.ManagedIdentity/userAssignedIdentities"),
    },
  },
  azurerm_role_assignment: {
    name: uuid,
    scope: matching(/\//, "to be a scope"),
    role_definition_name: notEmpty,
    principal_type: oneOf("User", "Group", "ServicePrincipal"),
    description: notEmpty,
    condition: notEmpty,
    condition_version: oneOf("1.0", "2.0"),
  },
  azurerm_resource_group: { name: resourceGroupName },
  azurerm_user_assigned_identity: { resource_group_name: resourceGroupName },
  azurerm_private_endpoint: {
    name: privateLinkName,
    resource_group_name: resourceGroupName,
    subnet_id: subnet,
    private_dns_zone_group: { name: privateLinkName, private_dns_zone_ids: zone },
    private_service_connection: {
      name: privateLinkName,
      private_connection_resource_id: resourceId,
      subresource_names: matching(/^[a-zA-Z0-9][\w.-]{1,61}[a-zA-Z0-9]$/, "to be a subresource"),
    },
  },
  azurerm_private_dns_zone: nameIn,
  azurerm_private_dns_zone_virtual_network_link: {
    name: notEmpty,
    private_dns_zone_id: zone,
    virtual_network_id: idOf("Microsoft.Network/virtualNetworks"),
    resolution_policy: oneOf("Default", "NxDomainRedirect"),
  },
  azurerm_monitor_diagnostic_setting: {
    name: matching(/^[^<>*%&:\\?+/]{1,260}$/, "to have none of the characters <>*%&:\\?+/"),
    target_resource_id: resourceId,
    log_analytics_workspace_id: idOf("Microsoft.OperationalInsights/workspaces"),
    storage_account_id: storageAccount,
    enabled_log: { category: notEmpty, category_group: notEmpty },
    enabled_metric: { category: notEmpty },
  },
  azurerm_monitor_action_group: {
    ...nameIn,
    short_name: matching(/^.{1,12}$/, "to have 1 to 12 characters"),
    webhook_receiver: { name: notEmpty, service_uri: matching(/^https?:\/\//i, "to be a URL") },
  },
  azurerm_monitor_metric_alert: {
    ...nameIn,
    scopes: resourceId,
    frequency: oneOf("PT1M", "PT5M", "PT15M", "PT30M", "PT1H"),
    window_size: oneOf("PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT6H", "PT12H", "P1D"),
    severity: between(0, 4),
    action: { action_group_id: resourceId },
    criteria: {
      metric_namespace: notEmpty,
      metric_name: notEmpty,
      aggregation: oneOf("Average", "Count", "Minimum", "Maximum", "Total"),
      operator: oneOf(
        ...["Equals", "GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual"],
      ),
      dimension: { name: notEmpty, operator: oneOf("Include", "Exclude", "StartsWith") },
    },
  },
  azurerm_storage_container: { storage_account_id: storageAccount },
};
