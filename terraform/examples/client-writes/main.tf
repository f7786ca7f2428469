# The application itself writes its event subscription. With azurerm 4 it needs the role Reader at the Azure
# subscription before the first plan, because azurerm 4 lists the resource providers when it starts. Keep
# the provider for one more apply when you remove the module.

provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azurerm" {
  alias                           = "client"
  client_id                       = var.client_id
  client_secret                   = var.client_secret
  resource_provider_registrations = "none"
  features {}
}

provider "azuread" {}

variable "client_id" {
  description = "Client ID of the application."
  type        = string
}

variable "client_secret" {
  description = "Secret of the application."
  type        = string
  sensitive   = true
}

variable "webhook_url" {
  description = "URL of the webhook, which runs already."
  type        = string
}

variable "scope" {
  description = "Resource ID of the topic."
  type        = string
}

module "orders" {
  source                    = "../.."
  name                      = "orders"
  webhook_url               = var.webhook_url
  scope                     = var.scope
  client_id                 = var.client_id
  writers                   = {}
  role_effect_seconds       = 60
  create_event_subscription = false
}

module "event_subscription" {
  source      = "../../modules/event-subscription"
  providers   = { azurerm = azurerm.client }
  name        = "orders"
  webhook_url = var.webhook_url
  scope       = var.scope
  tenant_id   = module.orders.tenant_id
  client_id   = module.orders.client_id
  depends_on  = [module.orders] # the roles of the application
}
