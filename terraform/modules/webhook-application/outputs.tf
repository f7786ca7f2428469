output "client_id" {
  description = "Client ID of the application: the audience of the tokens, and client_id of modules/event-subscription."
  value       = local.client_id

  precondition {
    condition     = (var.display_name == null) != (var.client_id == null)
    error_message = "Either display_name or client_id is required, not both."
  }
}

output "principal_id" {
  description = "Object ID of the application's service principal."
  value       = local.principal_id
}

output "application_id" {
  description = "ID of the application for resources of azuread, such as azuread_application_password."
  value       = local.application_id
}

output "tenant_id" {
  description = "Tenant of the application."
  value       = data.azuread_client_config.current.tenant_id
}
