locals {
  scope_writers = merge(
    contains(var.existing_assignments, "client_at_scope") ? {} : {
      client = {
        object_id      = module.application.principal_id
        principal_type = "ServicePrincipal"
        description    = "The webhook's application writes event subscriptions at this scope"
      }
    },
    contains(var.existing_assignments, "writers_at_scope") ? {} : {
      for name, writer in coalesce(var.writers, {}) : "writer/${name}" => merge(writer, { description = "Writes event subscriptions at this scope" })
    },
  )

  grants_dead_lettering = one(var.dead_letter[*].identity) != null && !contains(var.existing_assignments, "dead_letter")
  role_effect_seconds   = var.role_effect_seconds == null ? 60 : var.role_effect_seconds

  # Whoever writes has its rights already, unless role_effect_seconds is set.
  awaited_roles = concat(
    var.role_effect_seconds == null || var.writers == null ? [] : values(azurerm_role_assignment.event_subscription_contributor)[*].id,
    azurerm_role_assignment.dead_letter[*].id,
  )
}

# EventGrid EventSubscription Contributor
resource "azurerm_role_assignment" "event_subscription_contributor" {
  for_each           = local.scope_writers
  scope              = local.scope
  role_definition_id = "/subscriptions/${split("/", local.scope)[2]}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443"
  principal_id       = each.value.object_id
  principal_type     = each.value.principal_type
  description        = each.value.description
  lifecycle {
    precondition {
      condition     = each.key == "client" || lower(each.value.object_id) != module.application.principal_id
      error_message = "writers must not name the principal of the application itself, which has the same rights already: leave it out."
    }
  }
}

# Storage Blob Data Contributor
resource "azurerm_role_assignment" "dead_letter" {
  count              = local.grants_dead_lettering ? 1 : 0
  scope              = "${var.dead_letter.storage_account_id}/blobServices/default/containers/${var.dead_letter.storage_blob_container_name}"
  role_definition_id = "/subscriptions/${split("/", var.dead_letter.storage_account_id)[2]}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe"
  principal_id       = var.dead_letter.identity.principal_id
  principal_type     = "ServicePrincipal"
  description        = "Event Grid dead-letters into this container"

  lifecycle {
    precondition {
      condition     = var.dead_letter.identity.principal_id != null
      error_message = "dead_letter.identity.principal_id must be the object ID of the identity, which gets the right to write into the container. If it has that right, add dead_letter to existing_assignments."
    }
  }
}

# Azure refuses an event subscription until its roles have taken effect.
resource "terraform_data" "role_effect" {
  count            = local.role_effect_seconds > 0 && length(local.awaited_roles) > 0 ? 1 : 0
  triggers_replace = { for index, id in local.awaited_roles : index => id }
  depends_on       = [module.application]

  provisioner "local-exec" {
    command = "sleep ${local.role_effect_seconds} || ping -n ${local.role_effect_seconds + 1} 127.0.0.1"
  }
}
