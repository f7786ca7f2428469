resource "azurerm_eventgrid_event_subscription" "this" {
  name = var.name
  # A slash at the end would be a difference at every plan.
  scope                                = "/${trim(var.scope, "/")}"
  event_delivery_schema                = "CloudEventSchemaV1_0"
  included_event_types                 = var.included_event_types
  advanced_filtering_on_arrays_enabled = length(flatten(values(var.advanced_filters))) > 0
  labels                               = length(var.labels) > 0 ? var.labels : null

  # Azure fills in what is left out of batching and retries, which would be a difference at every plan.
  webhook_endpoint {
    url                               = var.webhook_url
    active_directory_tenant_id        = var.tenant_id
    active_directory_app_id_or_uri    = var.client_id
    max_events_per_batch              = var.batching.max_events_per_batch
    preferred_batch_size_in_kilobytes = var.batching.preferred_batch_size_in_kilobytes
  }

  retry_policy {
    max_delivery_attempts = var.retry_policy.max_delivery_attempts
    event_time_to_live    = var.retry_policy.event_time_to_live
  }

  dynamic "subject_filter" {
    for_each = var.subject_filter[*]
    content {
      subject_begins_with = subject_filter.value.subject_begins_with
      subject_ends_with   = subject_filter.value.subject_ends_with
      case_sensitive      = subject_filter.value.case_sensitive
    }
  }

  dynamic "storage_blob_dead_letter_destination" {
    for_each = var.dead_letter[*]
    content {
      storage_account_id          = storage_blob_dead_letter_destination.value.storage_account_id
      storage_blob_container_name = storage_blob_dead_letter_destination.value.storage_blob_container_name
    }
  }

  dynamic "dead_letter_identity" {
    for_each = one(var.dead_letter[*].identity)[*]
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
    for_each = length(flatten(values(var.advanced_filters))) > 0 ? [var.advanced_filters] : []
    content {
      dynamic "bool_equals" {
        for_each = lookup(advanced_filter.value, "bool_equals", [])
        content {
          key   = bool_equals.value.key
          value = bool_equals.value.value
        }
      }
      dynamic "is_not_null" {
        for_each = lookup(advanced_filter.value, "is_not_null", [])
        content { key = is_not_null.value.key }
      }
      dynamic "is_null_or_undefined" {
        for_each = lookup(advanced_filter.value, "is_null_or_undefined", [])
        content { key = is_null_or_undefined.value.key }
      }
      dynamic "number_greater_than" {
        for_each = lookup(advanced_filter.value, "number_greater_than", [])
        content {
          key   = number_greater_than.value.key
          value = number_greater_than.value.value
        }
      }
      dynamic "number_greater_than_or_equals" {
        for_each = lookup(advanced_filter.value, "number_greater_than_or_equals", [])
        content {
          key   = number_greater_than_or_equals.value.key
          value = number_greater_than_or_equals.value.value
        }
      }
      dynamic "number_less_than" {
        for_each = lookup(advanced_filter.value, "number_less_than", [])
        content {
          key   = number_less_than.value.key
          value = number_less_than.value.value
        }
      }
      dynamic "number_less_than_or_equals" {
        for_each = lookup(advanced_filter.value, "number_less_than_or_equals", [])
        content {
          key   = number_less_than_or_equals.value.key
          value = number_less_than_or_equals.value.value
        }
      }
      dynamic "number_in" {
        for_each = lookup(advanced_filter.value, "number_in", [])
        content {
          key    = number_in.value.key
          values = number_in.value.values
        }
      }
      dynamic "number_not_in" {
        for_each = lookup(advanced_filter.value, "number_not_in", [])
        content {
          key    = number_not_in.value.key
          values = number_not_in.value.values
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
          values = string_begins_with.value.values
        }
      }
      dynamic "string_contains" {
        for_each = lookup(advanced_filter.value, "string_contains", [])
        content {
          key    = string_contains.value.key
          values = string_contains.value.values
        }
      }
      dynamic "string_ends_with" {
        for_each = lookup(advanced_filter.value, "string_ends_with", [])
        content {
          key    = string_ends_with.value.key
          values = string_ends_with.value.values
        }
      }
      dynamic "string_in" {
        for_each = lookup(advanced_filter.value, "string_in", [])
        content {
          key    = string_in.value.key
          values = string_in.value.values
        }
      }
      dynamic "string_not_begins_with" {
        for_each = lookup(advanced_filter.value, "string_not_begins_with", [])
        content {
          key    = string_not_begins_with.value.key
          values = string_not_begins_with.value.values
        }
      }
      dynamic "string_not_contains" {
        for_each = lookup(advanced_filter.value, "string_not_contains", [])
        content {
          key    = string_not_contains.value.key
          values = string_not_contains.value.values
        }
      }
      dynamic "string_not_ends_with" {
        for_each = lookup(advanced_filter.value, "string_not_ends_with", [])
        content {
          key    = string_not_ends_with.value.key
          values = string_not_ends_with.value.values
        }
      }
      dynamic "string_not_in" {
        for_each = lookup(advanced_filter.value, "string_not_in", [])
        content {
          key    = string_not_in.value.key
          values = string_not_in.value.values
        }
      }
    }
  }

  lifecycle {
    # Azure replaces an empty list at other resources by default types, which would be a difference at
    # every plan.
    precondition {
      condition     = length(var.included_event_types) > 0 || can(regex("(?i)/providers/Microsoft[.]EventGrid/(topics|domains|partnerTopics)/", var.scope))
      error_message = "included_event_types must name event types, because the scope is no topic."
    }
  }

  depends_on = [var.wait_for]
}
