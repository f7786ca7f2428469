output "environment" {
  description = "Environment variables of the service. Their names begin with name in upper case."
  value = {
    for variable, value in {
      NAME               = var.name
      NAMESPACE_ENDPOINT = "https://${azapi_resource.namespace.output.properties.topicsConfiguration.hostname}"
      TOPIC_NAME         = azapi_resource.topic.name
      SUBSCRIPTION_NAME  = var.name
    } : "${upper(replace(var.name, "-", "_"))}_${variable}" => value
  }
  depends_on = [azapi_resource.subscription, azurerm_role_assignment.receiver]
}

output "namespace_id" {
  description = "Resource ID of the namespace: the scope of roles."
  value       = azapi_resource.namespace.id
}
