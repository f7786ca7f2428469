# What a review asks for: a private topic, dead letters with the identity of the topic, logs, and alerts.

terraform {
  required_providers {
    azapi = { source = "Azure/azapi", version = ">= 2.12, < 3.0" }
  }
}

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

variable "webhook_url" {
  description = "URL of the webhook, which runs already."
  type        = string
}

variable "subnet_id" {
  description = "Subnet in which publishers reach the topic."
  type        = string
}

variable "virtual_network_id" {
  description = "Network of that subnet, in which the topic's name resolves to its private address."
  type        = string
}

variable "storage_account_id" {
  description = "Storage account with the container undelivered."
  type        = string
}

variable "log_analytics_workspace_id" {
  description = "Workspace of the logs."
  type        = string
}

variable "pipeline_object_id" {
  description = "Object ID of the identity that applies."
  type        = string
}

resource "azurerm_resource_group" "shop" {
  name     = "shop"
  location = "westeurope"
}

module "topic" {
  source                        = "../../modules/topic"
  name                          = "orders"
  resource_group_name           = azurerm_resource_group.shop.name
  location                      = azurerm_resource_group.shop.location
  public_network_access_enabled = false
  tags                          = { team = "shop" }
}

module "orders" {
  source      = "../.."
  name        = "orders"
  webhook_url = var.webhook_url
  scope       = module.topic.id
  writers     = { pipeline = { object_id = var.pipeline_object_id } }
  dead_letter = {
    storage_account_id          = var.storage_account_id
    storage_blob_container_name = "undelivered"
    identity                    = { type = "SystemAssigned", principal_id = module.topic.principal_id }
  }
}

resource "azurerm_private_endpoint" "topic" {
  name                = "orders"
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
  subnet_id           = var.subnet_id

  private_service_connection {
    name                           = "orders"
    private_connection_resource_id = module.topic.id
    subresource_names              = ["topic"]
    is_manual_connection           = false
  }

  private_dns_zone_group {
    name                 = "event-grid"
    private_dns_zone_ids = [azurerm_private_dns_zone.event_grid.id]
  }
}

resource "azurerm_private_dns_zone" "event_grid" {
  name                = "privatelink.eventgrid.azure.net"
  resource_group_name = azurerm_resource_group.shop.name
}

# By azapi, because azurerm 4 and 5 name the zone of a link by different arguments.
resource "azapi_resource" "link" {
  type      = "Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01"
  parent_id = azurerm_private_dns_zone.event_grid.id
  name      = "shop"
  location  = "global"
  body      = { properties = { registrationEnabled = false, virtualNetwork = { id = var.virtual_network_id } } }
}

resource "azurerm_monitor_diagnostic_setting" "topic" {
  name                       = "event-grid"
  target_resource_id         = module.topic.id
  log_analytics_workspace_id = var.log_analytics_workspace_id

  dynamic "enabled_log" {
    for_each = ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"]
    content {
      category = enabled_log.value
    }
  }

  enabled_metric {
    category = "AllMetrics"
  }
}

resource "azurerm_monitor_metric_alert" "topic" {
  for_each = {
    DroppedEventCount = { severity = 1, description = "Event Grid dropped events: they are lost" }
    DeadLetteredCount = { severity = 2, description = "Event Grid dead-lettered events" }
  }
  name                = "orders-${each.key}"
  resource_group_name = azurerm_resource_group.shop.name
  scopes              = [module.topic.id]
  severity            = each.value.severity
  description         = each.value.description
  frequency           = "PT5M"
  window_size         = "PT5M"

  criteria {
    metric_namespace = "Microsoft.EventGrid/topics"
    metric_name      = each.key
    aggregation      = "Total"
    operator         = "GreaterThan"
    threshold        = 0

    dimension {
      name     = "EventSubscriptionName"
      operator = "Include"
      values   = ["*"]
    }
  }
}
