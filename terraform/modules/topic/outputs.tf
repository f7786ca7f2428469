output "id" {
  description = "Resource ID: the scope of event subscriptions and of roles."
  value       = azurerm_eventgrid_topic.this.id
}

output "endpoint" {
  description = "URL to publish to."
  value       = azurerm_eventgrid_topic.this.endpoint
}

output "principal_id" {
  description = "Object ID of the topic's identity, which may dead-letter."
  value       = azurerm_eventgrid_topic.this.identity[0].principal_id
}

output "primary_access_key" {
  description = "Access key of the topic, which it accepts with local_auth_enabled only."
  value       = azurerm_eventgrid_topic.this.primary_access_key
  sensitive   = true
}
