# azurerm has neither the host name of a namespace nor the event subscriptions of its topics, so that azapi
# writes them. azapi does not write a field that is removed: every optional field is named.

resource "azapi_resource" "namespace" {
  type      = "Microsoft.EventGrid/namespaces@2025-02-15"
  name      = var.namespace_name
  parent_id = var.resource_group_id
  location  = var.location
  tags      = var.tags

  identity {
    type = "SystemAssigned"
  }

  body = {
    sku        = { name = "Standard", capacity = 1 }
    properties = { publicNetworkAccess = "Enabled", inboundIpRules = [], minimumTlsVersionAllowed = "1.2" }
  }
  list_unique_id_property = { "properties.inboundIpRules" = "ipMask" }
  response_export_values  = ["properties.topicsConfiguration.hostname"]
}

resource "azapi_resource" "topic" {
  type      = "Microsoft.EventGrid/namespaces/topics@2025-02-15"
  name      = var.name
  parent_id = azapi_resource.namespace.id
  body = {
    properties = { publisherType = "Custom", inputSchema = "CloudEventSchemaV1_0", eventRetentionInDays = var.event_retention_days }
  }
}

# EventGrid Data Receiver: assigned at the topic, it does not suffice to acknowledge.
resource "azurerm_role_assignment" "receiver" {
  for_each           = var.receivers
  scope              = azapi_resource.namespace.id
  role_definition_id = "/subscriptions/${split("/", var.resource_group_id)[2]}/providers/Microsoft.Authorization/roleDefinitions/78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb"
  principal_id       = each.value
  principal_type     = "ServicePrincipal"
  description        = "Receives events from this namespace"
}

# Storage Blob Data Contributor
resource "azurerm_role_assignment" "dead_letter" {
  count              = var.dead_letter == null ? 0 : 1
  scope              = "${var.dead_letter.storage_account_id}/blobServices/default/containers/${var.dead_letter.storage_blob_container_name}"
  role_definition_id = "/subscriptions/${split("/", var.dead_letter.storage_account_id)[2]}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe"
  principal_id       = azapi_resource.namespace.identity[0].principal_id
  principal_type     = "ServicePrincipal"
  description        = "Event Grid dead-letters into this container"
}

# Azure refuses an event subscription until the role has taken effect.
resource "terraform_data" "role_effect" {
  count            = var.dead_letter == null ? 0 : 1
  triggers_replace = { "0" = azurerm_role_assignment.dead_letter[0].id }

  provisioner "local-exec" {
    command = "sleep 60 || ping -n 61 127.0.0.1"
  }
}

resource "azapi_resource" "subscription" {
  type          = "Microsoft.EventGrid/namespaces/topics/eventSubscriptions@2025-02-15"
  name          = var.name
  parent_id     = azapi_resource.topic.id
  ignore_casing = true
  body = {
    properties = {
      eventDeliverySchema = "CloudEventSchemaV1_0"
      deliveryConfiguration = {
        deliveryMode = "Queue"
        queue = {
          receiveLockDurationInSeconds = var.queue.receive_lock_duration_in_seconds
          maxDeliveryCount             = var.queue.max_delivery_count
          eventTimeToLive              = "P${var.event_retention_days}D"
          deadLetterDestinationWithResourceIdentity = var.dead_letter == null ? null : {
            identity              = { type = "SystemAssigned", userAssignedIdentity = null }
            deadLetterDestination = { endpointType = "StorageBlob", properties = { resourceId = var.dead_letter.storage_account_id, blobContainerName = var.dead_letter.storage_blob_container_name } }
          }
        }
      }
      filtersConfiguration = { includedEventTypes = length(var.included_event_types) > 0 ? var.included_event_types : null, filters = [] }
      expirationTimeUtc    = null
    }
  }
  depends_on = [azurerm_role_assignment.dead_letter, terraform_data.role_effect]
}
