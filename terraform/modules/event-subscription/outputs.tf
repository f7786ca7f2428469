output "id" {
  description = "Resource ID of the event subscription."
  value       = azurerm_eventgrid_event_subscription.this.id
}
