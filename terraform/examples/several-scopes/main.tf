# One webhook and its application for two topics, each with filters of its own.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

variable "webhook_url" {
  description = "URL of the webhook, which runs already."
  type        = string
}

resource "azurerm_resource_group" "shop" {
  name     = "shop"
  location = "westeurope"
}

module "topic" {
  source              = "../../modules/topic"
  for_each            = toset(["orders", "returns"])
  name                = each.key
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
}

module "orders" {
  source               = "../.."
  name                 = "orders"
  webhook_url          = var.webhook_url
  scope                = module.topic["orders"].id
  included_event_types = ["shop.order.placed"]
  advanced_filters = {
    number_greater_than = [{ key = "data.total", value = 100 }]
    string_in           = [{ key = "data.system", values = ["north", "south"] }]
  }
}

module "returns" {
  source         = "../../modules/event-subscription"
  name           = "returns"
  webhook_url    = var.webhook_url
  scope          = module.topic["returns"].id
  tenant_id      = module.orders.tenant_id
  client_id      = module.orders.client_id
  subject_filter = { subject_ends_with = "/express" }
  batching       = { max_events_per_batch = 10 }
  wait_for       = [module.orders.event_subscription_id] # and so for its roles
}
