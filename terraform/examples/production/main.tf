# What a review asks for: a private topic, dead letters with the identity of the topic, logs, and alerts.

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
