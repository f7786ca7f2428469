output "client_id" {
  description = "Client ID of the webhook's application."
  value       = var.client_id
}

output "event_subscription_id" {
  description = "Resource ID of the event subscription."
  value       = azurerm_eventgrid_event_subscription.this.id
}
