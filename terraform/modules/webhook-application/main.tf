# The application that authenticates the deliveries: Event Grid asks Entra for a token for it, and Entra
# puts the app role into the token. Event Grid checks that whoever writes an event subscription has the
# role, too.

locals {
  app_role = "AzureEventGridSecureWebhookSubscriber"
  creates  = var.client_id == null

  # An existing role with another ID is used. One with this ID is this configuration's own.
  app_role_id      = local.creates ? var.app_role_id : lookup(data.azuread_application.existing[0].app_role_ids, local.app_role, var.app_role_id)
  creates_app_role = local.creates || local.app_role_id == var.app_role_id

  application_id = local.creates ? azuread_application_registration.webhook[0].id : "/applications/${data.azuread_application.existing[0].object_id}"
  client_id      = local.creates ? azuread_application_registration.webhook[0].client_id : var.client_id
  principal_id   = local.creates ? azuread_service_principal.webhook[0].object_id : data.azuread_service_principal.existing[0].object_id

  # The application itself has the role already.
  caller = local.creates || data.azuread_client_config.current.object_id != one(data.azuread_service_principal.existing[*].object_id) ? {
    caller = data.azuread_client_config.current.object_id
  } : {}

  role_holders = merge(
    contains(var.existing_assignments, "event_grid") ? {} : { event_grid = data.azuread_service_principal.event_grid[0].object_id },
    contains(var.existing_assignments, "client") ? {} : { client = local.principal_id },
    contains(var.existing_assignments, "writers") ? {} : { for name, id in var.writers == null ? local.caller : var.writers : "writer/${name}" => id },
  )
}

data "azuread_client_config" "current" {}

data "azuread_service_principal" "event_grid" {
  count     = contains(var.existing_assignments, "event_grid") ? 0 : 1
  client_id = var.event_grid_application_id
}

data "azuread_application" "existing" {
  count     = local.creates ? 0 : 1
  client_id = var.client_id
}

data "azuread_service_principal" "existing" {
  count     = local.creates ? 0 : 1
  client_id = var.client_id
}

resource "azuread_application_registration" "webhook" {
  count        = local.creates ? 1 : 0
  display_name = var.display_name
}

resource "azuread_application_app_role" "subscriber" {
  count                = local.creates_app_role ? 1 : 0
  application_id       = local.application_id
  role_id              = var.app_role_id
  value                = local.app_role
  display_name         = local.app_role
  description          = "Azure Event Grid Role"
  allowed_member_types = ["Application", "User"]
}

# After the app role, so that the principal has it from the start. Without owners, the provider would
# remove whoever applies from them, who could then not destroy it.
resource "azuread_service_principal" "webhook" {
  count      = local.creates ? 1 : 0
  client_id  = local.client_id
  owners     = [data.azuread_client_config.current.object_id]
  depends_on = [azuread_application_app_role.subscriber]

  lifecycle {
    ignore_changes = [owners]
  }
}

# Graph refuses to assign a role that it does not know everywhere yet.
resource "terraform_data" "app_role_replication" {
  count            = local.creates_app_role && !local.creates ? 1 : 0
  triggers_replace = { application = data.azuread_application.existing[0].object_id }
  depends_on       = [azuread_application_app_role.subscriber]

  provisioner "local-exec" {
    command = "sleep 40 || ping -n 41 127.0.0.1"
  }
}

resource "azuread_app_role_assignment" "subscriber" {
  for_each            = local.role_holders
  app_role_id         = local.app_role_id
  principal_object_id = each.value
  resource_object_id  = local.principal_id
  depends_on          = [azuread_application_app_role.subscriber, terraform_data.app_role_replication]
  lifecycle {
    precondition {
      condition     = !startswith(each.key, "writer/") || lower(each.value) != local.principal_id
      error_message = "writers must not name the principal of the application itself, which has the same rights already: leave it out."
    }
  }
}
