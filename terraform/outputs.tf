output "environment" {
  description = "Environment variables of the service. Their names begin with name in upper case."
  value = {
    for variable, value in {
      NAME              = var.name
      CLOUD             = var.cloud == "public" ? null : var.cloud
      AUTHORITY_HOST    = var.authority_host
      TENANT_ID         = module.application.tenant_id
      CLIENT_ID         = module.application.client_id
      HANDSHAKE_PORT    = tostring(var.port)
      WEBHOOK_PATH      = try(regex("^[^:]+://[^/?#]+(/[^?#]*)", var.webhook_url)[0], "/")
      SUBSCRIPTION_NAME = local.event_subscription_name
      SCOPE             = local.scope
    } : "${upper(replace(var.name, "-", "_"))}_${variable}" => value if value != null
  }
}

output "event_subscription_id" {
  description = "Resource ID of the event subscription; null without it."
  value       = one(module.event_subscription[*].id)
}

output "client_id" {
  description = "Client ID of the application: the audience of the tokens."
  value       = module.application.client_id
}

output "tenant_id" {
  description = "Tenant of the application."
  value       = module.application.tenant_id
}

output "application_id" {
  description = "ID of the application for resources of azuread, such as azuread_application_password."
  value       = module.application.application_id
}

output "roles" {
  description = "IDs of the role assignments at the scope and at the container, once they have taken effect: another service that shares them names it in wait_for."
  value       = concat(values(azurerm_role_assignment.event_subscription_contributor)[*].id, azurerm_role_assignment.dead_letter[*].id)
  depends_on  = [terraform_data.role_effect]
}
