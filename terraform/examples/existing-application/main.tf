# Takes over the event subscription of a webhook whose application exists with its roles. The label makes
# the first apply an update: an import alone would not repeat the handshake. Terraform 1.5 takes only a literal
# as the id of an import.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

variable "webhook_url" {
  description = "URL of the webhook, which runs already."
  type        = string
}

variable "client_id" {
  description = "Client ID of the application."
  type        = string
}

variable "scope" {
  description = "Resource ID of the topic."
  type        = string
}

module "orders" {
  source               = "../.."
  name                 = "orders"
  webhook_url          = var.webhook_url
  scope                = var.scope
  client_id            = var.client_id
  labels               = ["adopted"]
  existing_assignments = ["event_grid", "client", "client_at_scope"]
}

import {
  to = module.orders.module.event_subscription[0].azurerm_eventgrid_event_subscription.this
  id = "${var.scope}/providers/Microsoft.EventGrid/eventSubscriptions/orders"
}
