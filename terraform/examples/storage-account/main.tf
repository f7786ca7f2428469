# The events of a storage account. Undelivered ones go into a container of the same account.

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

resource "azurerm_storage_account" "parcels" {
  name                     = "shopparcels"
  resource_group_name      = azurerm_resource_group.shop.name
  location                 = azurerm_resource_group.shop.location
  account_tier             = "Standard"
  account_replication_type = "LRS"
}

resource "azurerm_storage_container" "undelivered" {
  name               = "undelivered"
  storage_account_id = azurerm_storage_account.parcels.id
}

module "parcels" {
  source               = "../.."
  name                 = "parcels"
  webhook_url          = var.webhook_url
  scope                = azurerm_storage_account.parcels.id
  included_event_types = ["Microsoft.Storage.BlobCreated"]
  subject_filter       = { subject_begins_with = "/blobServices/default/containers/labels/" }
  dead_letter = {
    storage_account_id          = azurerm_storage_account.parcels.id
    storage_blob_container_name = azurerm_storage_container.undelivered.name
  }
}
