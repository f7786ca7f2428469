# Two services that receive the events of one topic, and dead-letter into one container. The topic's identity
# gets its role from the first one; the second one waits until that role has taken effect.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

variable "orders_url" {
  description = "URL of the webhook of orders, which runs already."
  type        = string
}

variable "invoices_url" {
  description = "URL of the webhook of invoices, which runs already."
  type        = string
}

variable "storage_account_id" {
  description = "Storage account with the container undelivered."
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
  source              = "../../modules/topic"
  name                = "orders"
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
}

locals {
  writers = { pipeline = { object_id = var.pipeline_object_id } }
  dead_letter = {
    storage_account_id          = var.storage_account_id
    storage_blob_container_name = "undelivered"
    identity                    = { type = "SystemAssigned", principal_id = module.topic.principal_id }
  }
}

module "orders" {
  source      = "../.."
  name        = "orders"
  webhook_url = var.orders_url
  scope       = module.topic.id
  writers     = local.writers
  dead_letter = local.dead_letter
}

module "invoices" {
  source               = "../.."
  name                 = "invoices"
  webhook_url          = var.invoices_url
  scope                = module.topic.id
  writers              = local.writers
  dead_letter          = local.dead_letter
  existing_assignments = ["writers_at_scope", "dead_letter"]
  wait_for             = [module.orders.roles]
}
