# A service without a public endpoint, which pulls its events from a namespace.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

resource "azurerm_resource_group" "shop" {
  name     = "shop"
  location = "westeurope"
}

resource "azurerm_user_assigned_identity" "orders" {
  name                = "orders"
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
}

module "orders" {
  source            = "../../modules/pull"
  name              = "orders"
  namespace_name    = "shop"
  resource_group_id = azurerm_resource_group.shop.id
  location          = azurerm_resource_group.shop.location
  receivers         = { orders = azurerm_user_assigned_identity.orders.principal_id }
}

# Publishers need this role.
resource "azurerm_role_assignment" "publisher" {
  scope                = module.orders.namespace_id
  role_definition_name = "EventGrid Data Sender"
  principal_id         = azurerm_user_assigned_identity.orders.principal_id
  principal_type       = "ServicePrincipal"
}

output "environment" {
  value = module.orders.environment
}
