output "client_id" {
  description = "Client ID of the webhook's application."
  value       = local.client_id
}

output "event_subscription_id" {
  description = "Resource ID of the event subscription."
  value       = azurerm_eventgrid_event_subscription.this["scope"].id
}

output "event_subscription_ids" {
  description = "Resource IDs of all event subscriptions, by the keys of additional_scopes and the key scope."
  value       = { for key, subscription in azurerm_eventgrid_event_subscription.this : key => subscription.id }
}

output "topic_id" {
  description = "Resource ID of the topic, if the module creates one."
  value       = one(azurerm_eventgrid_topic.this[*].id)
}

output "topic_endpoint" {
  description = "Endpoint to publish to, if the module creates the topic."
  value       = one(azurerm_eventgrid_topic.this[*].endpoint)
}

output "topic_access_key" {
  description = "Access key of the topic, if the module creates it."
  value       = one(azurerm_eventgrid_topic.this[*].primary_access_key)
  sensitive   = true
}
