locals {
  # A URL without a path gets the listener's default path.
  subscriber_url = replace(
    var.subscriber_endpoint,
    "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/",
    "$1/api/events$2",
  )

  path = regex("^https://[^/?#]+(/[^?#]*)", local.subscriber_url)[0]

  app_role = "AzureEventGridSecureWebhookSubscriber"

  # An app role that the application has already is used, and not created.
  app_role_id      = try(data.azuread_application.webhook[0].app_role_ids[local.app_role], var.app_role_id)
  creates_app_role = local.app_role_id == var.app_role_id
  known_client     = one(data.azuread_service_principal.webhook[*].object_id)
  application_id   = try(azuread_application_registration.webhook[0].id, "/applications/${data.azuread_application.webhook[0].object_id}")
  client_id        = try(azuread_application_registration.webhook[0].client_id, var.client_id)
  client_object_id = try(azuread_service_principal.webhook[0].object_id, local.known_client)

  # Whether the provider azurerm.client writes the event subscription.
  client_writes = false

  # The cloud whose handshake the probe sends.
  cloud_options = []

  # Entra refuses the same assignment twice, so that a writer which is the application itself is left out.
  writers = {
    for writer in var.writer_principals : writer.object_id => writer.principal_type
    if writer.object_id != local.known_client
  }
  callers = [
    for id in [data.azurerm_client_config.current.object_id] : id
    if length(var.writer_principals) == 0 && id != local.known_client && !local.client_writes
  ]
  app_role_holders = merge(
    contains(var.existing_assignments, "eventGrid") ? {} : {
      event_grid = data.azuread_service_principal.event_grid[0].object_id
    },
    contains(var.existing_assignments, "client") ? {} : { client = local.client_object_id },
    contains(var.existing_assignments, "writers") ? {} : merge(
      { for id in local.callers : "caller" => id },
      { for id in keys(local.writers) : id => id },
    ),
  )

  scope_writers = merge(
    contains(var.existing_assignments, "clientAtScope") ? {} : {
      client = {
        object_id      = local.client_object_id
        principal_type = "ServicePrincipal"
        description    = "The webhook's application writes event subscriptions at this scope"
      }
    },
    contains(var.existing_assignments, "writersAtScope") ? {} : {
      for id, type in local.writers : id => {
        object_id      = id
        principal_type = type
        description    = "Writes event subscriptions at this scope"
      }
    },
  )
  scope_assignments = merge([
    for key, subscription in local.subscriptions : {
      for writer, principal in local.scope_writers : "${key}/${writer}" => merge(principal, { scope = subscription.scope })
    } if subscription.assigns_role
  ]...)

  scopes = merge(var.additional_scopes, {
    scope = {
      scope                   = var.topic == null ? var.scope : azurerm_eventgrid_topic.this[0].id
      event_subscription_name = var.event_subscription_name
      included_event_types    = var.included_event_types
      subject_filter          = var.subject_filter
      advanced_filters        = var.advanced_filters
      assigns_role            = true
    }
  })
  subscriptions = {
    for key, settings in local.scopes : key => {
      # A slash at the end of a scope would be a difference at every plan.
      scope = "/${trim(settings.scope, "/")}"
      name  = coalesce(settings.event_subscription_name, var.event_subscription_name)
      # Azure replaces an empty list by default types, which would be a difference at every plan. Only
      # at a topic it stands for all types, also while the ID of the topic is unknown.
      event_types = length(settings.included_event_types) > 0 ? settings.included_event_types : (
        key == "scope" && var.topic != null ? [] : lookup(
          local.event_types_by_kind,
          lower(try(regex("/providers/([^/]+/[^/]+)/", settings.scope)[0], "")),
          null,
        )
      )
      subject_filter = settings.subject_filter
      filters = {
        for operator in distinct(settings.advanced_filters[*].operator) : operator => [
          for filter in settings.advanced_filters : filter if filter.operator == operator
        ]
      }
      assigns_role = settings.assigns_role
    }
  }

  filter_values = ["boolean", "number", "numbers", "ranges", "strings"]

  dead_letters           = var.dead_letter == null ? [] : [var.dead_letter]
  dead_letter_identities = [for letters in local.dead_letters : letters.identity if letters.identity != null]
  grants_dead_lettering  = length(local.dead_letter_identities) > 0 && !contains(var.existing_assignments, "deadLetter")
  # azurerm plans the principal of a SystemAssigned identity that is added as null.
  awaits_identity = local.grants_dead_lettering && contains(local.dead_letter_identities[*].type, "SystemAssigned")
  # A principal that is known only later must not share a try with the topic, which would discard it.
  topic_principal_id       = try(azurerm_eventgrid_topic.this[0].identity[0].principal_id, null)
  dead_letter_principal_id = try(coalesce(var.dead_letter.identity.principal_id, local.topic_principal_id), null)

  # Assignments to wait for: those of whoever writes only if they are not known to be older.
  role_effect_seconds = var.role_effect_seconds == null ? 60 : var.role_effect_seconds
  awaits_writers      = local.client_writes || var.role_effect_seconds != null && length(var.writer_principals) > 0
  awaited_roles = concat(
    local.awaits_writers ? values(azurerm_role_assignment.event_subscription_contributor)[*].id : [],
    local.client_writes ? [
      for key, assignment in azuread_app_role_assignment.subscriber : assignment.id if contains(["client", "event_grid"], key)
    ] : [],
    azurerm_role_assignment.dead_letter[*].id,
  )
}

data "azurerm_client_config" "current" {}

data "azuread_application" "webhook" {
  count     = var.application == null ? 1 : 0
  client_id = var.client_id
}

data "azuread_service_principal" "webhook" {
  count     = var.application == null ? 1 : 0
  client_id = var.client_id
}

data "azuread_client_config" "current" {
  count = var.application == null ? 0 : 1
}

data "azuread_service_principal" "event_grid" {
  count     = contains(var.existing_assignments, "eventGrid") ? 0 : 1
  client_id = var.event_grid_application_id
}

resource "azurerm_eventgrid_topic" "this" {
  count                         = var.topic == null ? 0 : 1
  name                          = var.topic.name
  resource_group_name           = var.topic.resource_group_name
  location                      = var.topic.location
  input_schema                  = "CloudEventSchemaV1_0"
  local_auth_enabled            = var.topic.local_auth_enabled
  public_network_access_enabled = var.topic.public_network_access
  inbound_ip_rule = var.topic.allowed_addresses == null ? null : [
    for range in var.topic.allowed_addresses : { ip_mask = range, action = "Allow" }
  ]
  tags = var.topic.tags

  dynamic "identity" {
    for_each = var.topic.identity[*]
    content {
      type         = identity.value.type
      identity_ids = identity.value.user_assigned_identities
    }
  }
}

resource "azuread_application_registration" "webhook" {
  count        = var.application == null ? 0 : 1
  display_name = var.application.display_name
}

# After the app role, so that the principal has it from the start. Without owners, the provider would
# remove whoever applies from them, who could then not destroy it.
resource "azuread_service_principal" "webhook" {
  count      = var.application == null ? 0 : 1
  client_id  = local.client_id
  owners     = [data.azuread_client_config.current[0].object_id]
  depends_on = [azuread_application_app_role.subscriber]

  lifecycle {
    ignore_changes = [owners]
  }
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

# Graph refuses to assign a role that it does not know everywhere yet.
resource "terraform_data" "app_role_replication" {
  count            = local.creates_app_role && var.application == null ? 1 : 0
  triggers_replace = { application = data.azuread_application.webhook[0].object_id }
  depends_on       = [azuread_application_app_role.subscriber]

  provisioner "local-exec" {
    command = "sleep 40 || ping -n 41 127.0.0.1"
  }
}

resource "azuread_app_role_assignment" "subscriber" {
  for_each            = local.app_role_holders
  app_role_id         = local.app_role_id
  principal_object_id = each.value
  resource_object_id  = local.client_object_id
  depends_on          = [azuread_application_app_role.subscriber, terraform_data.app_role_replication]
}

resource "azurerm_role_assignment" "event_subscription_contributor" {
  for_each           = local.scope_assignments
  scope              = each.value.scope
  role_definition_id = "/subscriptions/${var.subscription_id}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443"
  principal_id       = each.value.object_id
  principal_type     = each.value.principal_type
  description        = each.value.description
}

# Makes the principal of a new identity unknown.
resource "terraform_data" "dead_letter_identity" {
  count            = local.awaits_identity ? 1 : 0
  triggers_replace = { type = try(var.topic.identity.type, "SystemAssigned") }
  depends_on       = [var.dead_letter, azurerm_eventgrid_topic.this]
}

resource "azurerm_role_assignment" "dead_letter" {
  count              = local.grants_dead_lettering ? 1 : 0
  scope              = "${var.dead_letter.storage_account_id}/blobServices/default/containers/${var.dead_letter.container}"
  role_definition_id = "/subscriptions/${split("/", var.dead_letter.storage_account_id)[2]}/providers/Microsoft.Authorization/roleDefinitions/ba92f5b4-2d11-453d-a403-e96b0029c9fe"
  principal_id       = one(terraform_data.dead_letter_identity[*].id) == "" ? "" : local.dead_letter_principal_id
  principal_type     = "ServicePrincipal"
  description        = "Event Grid dead-letters into this container"
}

# Azure refuses an event subscription until its roles have taken effect.
resource "terraform_data" "role_effect" {
  count            = local.role_effect_seconds > 0 && length(local.awaited_roles) > 0 ? 1 : 0
  triggers_replace = { for index, id in local.awaited_roles : index => id }

  provisioner "local-exec" {
    command = "sleep ${local.role_effect_seconds} || ping -n ${local.role_effect_seconds + 1} 127.0.0.1"
  }
}

# Terraform does not say why a handshake fails; the probe does, and retries until the service is up.
resource "terraform_data" "probe" {
  count            = var.probe == null ? 0 : 1
  triggers_replace = { url = sha256(local.subscriber_url) }

  provisioner "local-exec" {
    interpreter = concat(var.probe.command, ["probe", "--timeout", tostring(var.probe.timeout_seconds)], local.cloud_options, var.probe.options, ["--url-env"])
    command     = "CLOUD_EVENTGRID_PROBE_URL"
    environment = { CLOUD_EVENTGRID_PROBE_URL = local.subscriber_url }
  }

  depends_on = [var.wait_for]
}

resource "azurerm_eventgrid_event_subscription" "this" {
  for_each                             = local.subscriptions
  name                                 = each.value.name
  scope                                = each.value.scope
  event_delivery_schema                = "CloudEventSchemaV1_0"
  included_event_types                 = each.value.event_types
  advanced_filtering_on_arrays_enabled = length(each.value.filters) > 0
  labels                               = length(var.labels) > 0 ? var.labels : null
  expiration_time_utc                  = var.expiration_time_utc

  webhook_endpoint {
    url                               = local.subscriber_url
    active_directory_tenant_id        = var.tenant_id
    active_directory_app_id_or_uri    = local.client_id
    max_events_per_batch              = var.max_events_per_batch
    preferred_batch_size_in_kilobytes = var.preferred_batch_size_in_kilobytes
  }

  retry_policy {
    max_delivery_attempts = var.max_delivery_attempts
    event_time_to_live    = var.event_time_to_live_minutes
  }

  dynamic "subject_filter" {
    for_each = each.value.subject_filter[*]
    content {
      subject_begins_with = subject_filter.value.begins_with
      subject_ends_with   = subject_filter.value.ends_with
      case_sensitive      = subject_filter.value.case_sensitive
    }
  }

  dynamic "storage_blob_dead_letter_destination" {
    for_each = local.dead_letters
    content {
      storage_account_id          = storage_blob_dead_letter_destination.value.storage_account_id
      storage_blob_container_name = storage_blob_dead_letter_destination.value.container
    }
  }

  dynamic "dead_letter_identity" {
    for_each = local.dead_letter_identities
    content {
      type                   = dead_letter_identity.value.type
      user_assigned_identity = dead_letter_identity.value.user_assigned_identity
    }
  }

  dynamic "delivery_property" {
    for_each = var.delivery_properties
    content {
      header_name  = delivery_property.value.header_name
      type         = delivery_property.value.source_field == null ? "Static" : "Dynamic"
      value        = delivery_property.value.value
      secret       = delivery_property.value.source_field == null ? delivery_property.value.secret : null
      source_field = delivery_property.value.source_field
    }
  }

  dynamic "advanced_filter" {
    for_each = length(each.value.filters) > 0 ? [each.value.filters] : []
    content {
      dynamic "bool_equals" {
        for_each = lookup(advanced_filter.value, "bool_equals", [])
        content {
          key   = bool_equals.value.key
          value = bool_equals.value.boolean
        }
      }

      dynamic "is_not_null" {
        for_each = lookup(advanced_filter.value, "is_not_null", [])
        content {
          key = is_not_null.value.key
        }
      }

      dynamic "is_null_or_undefined" {
        for_each = lookup(advanced_filter.value, "is_null_or_undefined", [])
        content {
          key = is_null_or_undefined.value.key
        }
      }

      dynamic "number_greater_than" {
        for_each = lookup(advanced_filter.value, "number_greater_than", [])
        content {
          key   = number_greater_than.value.key
          value = number_greater_than.value.number
        }
      }

      dynamic "number_greater_than_or_equals" {
        for_each = lookup(advanced_filter.value, "number_greater_than_or_equals", [])
        content {
          key   = number_greater_than_or_equals.value.key
          value = number_greater_than_or_equals.value.number
        }
      }

      dynamic "number_less_than" {
        for_each = lookup(advanced_filter.value, "number_less_than", [])
        content {
          key   = number_less_than.value.key
          value = number_less_than.value.number
        }
      }

      dynamic "number_less_than_or_equals" {
        for_each = lookup(advanced_filter.value, "number_less_than_or_equals", [])
        content {
          key   = number_less_than_or_equals.value.key
          value = number_less_than_or_equals.value.number
        }
      }

      dynamic "number_in" {
        for_each = lookup(advanced_filter.value, "number_in", [])
        content {
          key    = number_in.value.key
          values = number_in.value.numbers
        }
      }

      dynamic "number_not_in" {
        for_each = lookup(advanced_filter.value, "number_not_in", [])
        content {
          key    = number_not_in.value.key
          values = number_not_in.value.numbers
        }
      }

      dynamic "number_in_range" {
        for_each = lookup(advanced_filter.value, "number_in_range", [])
        content {
          key    = number_in_range.value.key
          values = number_in_range.value.ranges
        }
      }

      dynamic "number_not_in_range" {
        for_each = lookup(advanced_filter.value, "number_not_in_range", [])
        content {
          key    = number_not_in_range.value.key
          values = number_not_in_range.value.ranges
        }
      }

      dynamic "string_begins_with" {
        for_each = lookup(advanced_filter.value, "string_begins_with", [])
        content {
          key    = string_begins_with.value.key
          values = string_begins_with.value.strings
        }
      }

      dynamic "string_contains" {
        for_each = lookup(advanced_filter.value, "string_contains", [])
        content {
          key    = string_contains.value.key
          values = string_contains.value.strings
        }
      }

      dynamic "string_ends_with" {
        for_each = lookup(advanced_filter.value, "string_ends_with", [])
        content {
          key    = string_ends_with.value.key
          values = string_ends_with.value.strings
        }
      }

      dynamic "string_in" {
        for_each = lookup(advanced_filter.value, "string_in", [])
        content {
          key    = string_in.value.key
          values = string_in.value.strings
        }
      }

      dynamic "string_not_begins_with" {
        for_each = lookup(advanced_filter.value, "string_not_begins_with", [])
        content {
          key    = string_not_begins_with.value.key
          values = string_not_begins_with.value.strings
        }
      }

      dynamic "string_not_contains" {
        for_each = lookup(advanced_filter.value, "string_not_contains", [])
        content {
          key    = string_not_contains.value.key
          values = string_not_contains.value.strings
        }
      }

      dynamic "string_not_ends_with" {
        for_each = lookup(advanced_filter.value, "string_not_ends_with", [])
        content {
          key    = string_not_ends_with.value.key
          values = string_not_ends_with.value.strings
        }
      }

      dynamic "string_not_in" {
        for_each = lookup(advanced_filter.value, "string_not_in", [])
        content {
          key    = string_not_in.value.key
          values = string_not_in.value.strings
        }
      }
    }
  }

  lifecycle {
    precondition {
      condition = alltrue(flatten([for operator, filters in each.value.filters : [
        for filter in filters : join(" ", [for name in local.filter_values : name if filter[name] != null]) == (
          endswith(operator, "null") || endswith(operator, "undefined") ? "" :
          startswith(operator, "bool") ? "boolean" :
          startswith(operator, "string") ? "strings" :
          endswith(operator, "range") ? "ranges" :
          endswith(operator, "in") ? "numbers" : "number"
        )
      ]]))
      error_message = "Each advanced filter must have exactly the value of its operator: boolean, number, numbers, ranges or strings."
    }

    precondition {
      condition     = each.value.event_types != null
      error_message = "included_event_types must name event types, because all types of ${each.value.scope} are not known."
    }

    precondition {
      condition     = lower(split("/", each.value.scope)[2]) == lower(var.subscription_id)
      error_message = "Scopes must lie in the Azure subscription subscription_id, but ${each.value.scope} does not."
    }

    # The type would mean another identity at another resource.
    precondition {
      condition     = each.key == "scope" || !contains(local.dead_letter_identities[*].type, "SystemAssigned")
      error_message = "A SystemAssigned identity belongs to one scope: with additional_scopes, use a UserAssigned identity."
    }
  }

  depends_on = [
    var.wait_for,
    azuread_app_role_assignment.subscriber,
    azurerm_role_assignment.event_subscription_contributor,
    azurerm_role_assignment.dead_letter,
    terraform_data.role_effect,
    terraform_data.probe,
  ]
}
