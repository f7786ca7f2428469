# A container app that receives the events of a topic, and may publish to it.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

variable "image" {
  description = "Image of the service, which listens on port 8080."
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

module "orders" {
  source      = "../.."
  name        = "orders"
  webhook_url = "https://orders.${azurerm_container_app_environment.shop.default_domain}/api/events"
  scope       = module.topic.id
  wait_for    = [azurerm_container_app.orders.id]
}

resource "azurerm_container_app_environment" "shop" {
  name                = "shop"
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
}

resource "azurerm_container_app" "orders" {
  name                         = "orders"
  resource_group_name          = azurerm_resource_group.shop.name
  container_app_environment_id = azurerm_container_app_environment.shop.id
  revision_mode                = "Single"

  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.orders.id]
  }

  ingress {
    external_enabled = true
    target_port      = 8080
    traffic_weight {
      latest_revision = true
      percentage      = 100
    }
  }

  template {
    container {
      name   = "orders"
      image  = var.image
      cpu    = 0.25
      memory = "0.5Gi"

      dynamic "env" {
        for_each = merge(module.orders.environment, {
          AZURE_CLIENT_ID       = azurerm_user_assigned_identity.orders.client_id
          ORDERS_TOPIC_ENDPOINT = module.topic.endpoint
          ORDERS_PUBLISH_WITH   = "entra"
        })
        content {
          name  = env.key
          value = env.value
        }
      }
    }
  }
}

resource "azurerm_user_assigned_identity" "orders" {
  name                = "orders"
  resource_group_name = azurerm_resource_group.shop.name
  location            = azurerm_resource_group.shop.location
}

# Publishers need this role, because the topic takes no access keys.
resource "azurerm_role_assignment" "publisher" {
  scope                = module.topic.id
  role_definition_name = "EventGrid Data Sender"
  principal_id         = azurerm_user_assigned_identity.orders.principal_id
  principal_type       = "ServicePrincipal"
}
