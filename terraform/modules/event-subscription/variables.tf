variable "name" {
  description = "Name of the event subscription: 3 to 64 letters, digits and hyphens."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[0-9a-zA-Z-]{3,64}$", var.name))
    error_message = "name must be 3 to 64 letters, digits and hyphens. If the module around this one has a shorter name, set its event_subscription_name."
  }
}

variable "scope" {
  description = "Resource whose events are delivered: the ID of a topic, another resource, a resource group or an Azure subscription."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^/*(?i:subscriptions)/[0-9a-fA-F-]{36}(/(?i:resourceGroups)/[^/]+(/(?i:providers)/[^/]+/[^/]+/[^/]+)?)?/*$", var.scope))
    error_message = "scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or /subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}."
  }
  validation {
    condition     = !can(regex("(?i)/providers/Microsoft[.]EventGrid/systemTopics/", var.scope))
    error_message = "scope is a system topic: use the ID of the resource whose events it publishes."
  }
}

variable "webhook_url" {
  description = "Public HTTPS URL of the webhook, with its path."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^(?i:https)://[^/?#@ ]+/[^#{} ]*$", var.webhook_url))
    error_message = "webhook_url must be an https URL with a host and a path, such as https://orders.example.com/api/events."
  }
}

variable "tenant_id" {
  description = "Tenant of the webhook's application."
  type        = string
  nullable    = false
}

variable "client_id" {
  description = "Client ID of the webhook's application, the audience of the tokens."
  type        = string
  nullable    = false
}

variable "wait_for" {
  description = "What serves the webhook, such as [azurerm_container_app.orders.id]: Event Grid calls it when the event subscription is created."
  type        = any
  default     = []
}

variable "included_event_types" {
  description = "Event types to deliver. An empty list delivers all types of a topic; for other scopes, name the types."
  type        = list(string)
  default     = []
  nullable    = false
  validation {
    condition     = alltrue([for type in var.included_event_types : can(regex("^[^\\s\\p{Z}*\\p{Cc}]([^*\\p{Cc}]*[^\\s\\p{Z}*.\\p{Cc}])?$", type))])
    error_message = "included_event_types must be event types such as shop.order.placed, not patterns."
  }
}

variable "subject_filter" {
  description = "Which subjects are delivered, by their beginning, their end, or both."
  type        = object({ subject_begins_with = optional(string), subject_ends_with = optional(string), case_sensitive = optional(bool) })
  default     = null
  validation {
    condition     = var.subject_filter == null ? true : !contains([var.subject_filter.subject_begins_with, var.subject_filter.subject_ends_with], "") && (var.subject_filter.subject_begins_with != null || var.subject_filter.subject_ends_with != null)
    error_message = "subject_filter must have a subject_begins_with or subject_ends_with that is not empty: leave it out for every subject."
  }
}

variable "advanced_filters" {
  description = "Conditions that all must hold, by the operators of azurerm's block advanced_filter: { string_in = [{ key = \"data.system\", values = [\"north\"] }] }. The operators in_range take ranges; is_not_null and is_null_or_undefined take a key alone."
  type        = map(list(object({ key = string, value = optional(string), values = optional(list(string)), ranges = optional(list(list(number))) })))
  default     = {}
  nullable    = false
  validation {
    condition = length(setsubtract(keys(var.advanced_filters), [
      "is_not_null", "is_null_or_undefined", "bool_equals",
      "number_greater_than", "number_greater_than_or_equals", "number_less_than", "number_less_than_or_equals",
      "number_in", "number_not_in", "number_in_range", "number_not_in_range",
      "string_in", "string_not_in", "string_begins_with", "string_not_begins_with",
      "string_ends_with", "string_not_ends_with", "string_contains", "string_not_contains",
    ])) == 0
    error_message = "advanced_filters must have operators of azurerm, such as string_in."
  }
  validation {
    condition     = alltrue([for filter in flatten(values(var.advanced_filters)) : can(regex("^([^ .]+|[dD][aA][tT][aA][.][^ ]+)$", filter.key))])
    error_message = "advanced_filters must have keys that name an attribute or a field of the data, such as data.amount."
  }
  validation {
    condition = alltrue(flatten([for operator, filters in var.advanced_filters : [
      for filter in filters : join(" ", [for name in ["value", "values", "ranges"] : name if filter[name] != null]) == (
        endswith(operator, "null") || endswith(operator, "undefined") ? "" :
        endswith(operator, "range") ? "ranges" :
        startswith(operator, "string") || endswith(operator, "in") ? "values" : "value"
      )
    ]]))
    error_message = "advanced_filters must have exactly the value of their operator: value, values or ranges."
  }
  validation {
    condition = alltrue(flatten([for operator, filters in var.advanced_filters : [
      for filter in filters : operator == "bool_equals" ? can(tobool(filter.value)) : (
        alltrue([for list in [filter.values, filter.ranges] : list == null ? true : length(list) > 0]) &&
        alltrue([for range in coalesce(filter.ranges, []) : length(range) == 2 ? try(range[0] <= range[1], false) : false]) &&
        (startswith(operator, "number") ? alltrue([for value in concat(filter.value[*], coalesce(filter.values, [])) : can(tonumber(value))]) : true)
      )
    ]]))
    error_message = "advanced_filters must have at least one value, of the kind that the operator compares with: true or false, numbers, or ranges such as [1, 5]."
  }
  validation {
    condition     = length(flatten(values(var.advanced_filters))) <= 25 && sum(concat([0], [for filter in flatten(values(var.advanced_filters)) : filter.value != null ? 1 : try(length(filter.values), 0) + try(length(filter.ranges), 0)])) <= 25
    error_message = "advanced_filters must be at most 25 filters, with at most 25 values in total."
  }
  validation {
    condition     = alltrue(flatten([for filter in flatten(values(var.advanced_filters)) : [for value in coalesce(filter.values, []) : length(value) <= 512]]))
    error_message = "advanced_filters must have strings of at most 512 characters."
  }
}

variable "batching" {
  description = "How many events one request has at most, from 1 to 5000, and how large it should be, from 1 to 1024 KB."
  type        = object({ max_events_per_batch = optional(number, 1), preferred_batch_size_in_kilobytes = optional(number, 64) })
  default     = {}
  nullable    = false
  validation {
    condition     = alltrue([for name, max in { max_events_per_batch = 5000, preferred_batch_size_in_kilobytes = 1024 } : var.batching[name] >= 1 && var.batching[name] <= max && floor(var.batching[name]) == var.batching[name]])
    error_message = "batching must have whole numbers: max_events_per_batch from 1 to 5000, preferred_batch_size_in_kilobytes from 1 to 1024."
  }
}

variable "retry_policy" {
  description = "How often Event Grid tries to deliver an event, from 1 to 30, and for how many minutes, from 1 to 1440."
  type        = object({ max_delivery_attempts = optional(number, 30), event_time_to_live = optional(number, 1440) })
  default     = {}
  nullable    = false
  validation {
    condition     = alltrue([for name, max in { max_delivery_attempts = 30, event_time_to_live = 1440 } : var.retry_policy[name] >= 1 && var.retry_policy[name] <= max && floor(var.retry_policy[name]) == var.retry_policy[name]])
    error_message = "retry_policy must have whole numbers: max_delivery_attempts from 1 to 30, event_time_to_live from 1 to 1440."
  }
}

variable "dead_letter" {
  description = "Container for events that could not be delivered; without one, Event Grid drops them. The identity must be one of the topic that the events come from. Without an identity, Event Grid writes with its own access to the account."
  type = object({
    storage_account_id          = string
    storage_blob_container_name = string
    identity                    = optional(object({ type = string, user_assigned_identity = optional(string) }))
  })
  default = null
  validation {
    condition     = var.dead_letter == null ? true : can(regex("^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$", var.dead_letter.storage_account_id))
    error_message = "dead_letter.storage_account_id must be the resource ID of a storage account (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name})."
  }
  validation {
    condition     = var.dead_letter == null ? true : can(regex("^.{3,63}$", var.dead_letter.storage_blob_container_name)) && can(regex("^[a-z0-9]+(-[a-z0-9]+)*$", var.dead_letter.storage_blob_container_name))
    error_message = "dead_letter.storage_blob_container_name must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens."
  }
  validation {
    condition     = try(var.dead_letter.identity, null) == null ? true : contains(["SystemAssigned", "UserAssigned"], var.dead_letter.identity.type) && (var.dead_letter.identity.type == "UserAssigned") == (var.dead_letter.identity.user_assigned_identity != null)
    error_message = "dead_letter.identity.type must be SystemAssigned, or UserAssigned with a user_assigned_identity."
  }
}

variable "delivery_properties" {
  description = "Headers that every delivery carries, at most 10, each with a value or with a field of the event."
  type        = list(object({ header_name = string, value = optional(string), secret = optional(bool, false), source_field = optional(string) }))
  default     = []
  nullable    = false
  validation {
    condition     = length(var.delivery_properties) <= 10
    error_message = "delivery_properties must be at most 10 headers."
  }
  validation {
    condition     = alltrue([for property in var.delivery_properties : can(regex("^[a-zA-Z0-9-]+$", property.header_name)) && !can(regex("^(?i:aeg-|authorization$)", property.header_name))])
    error_message = "delivery_properties must have names of headers: letters, digits and hyphens, not Authorization, and not beginning with aeg-, which Event Grid reserves."
  }
  validation {
    condition     = alltrue([for property in var.delivery_properties : (property.value == null) != (property.source_field == null)])
    error_message = "delivery_properties must have either a value or a source_field."
  }
  validation {
    condition     = alltrue([for property in var.delivery_properties : property.source_field == null || property.secret != true])
    error_message = "delivery_properties must not be secret with a source_field, whose value is part of each event."
  }
  validation {
    condition     = length(distinct([for property in var.delivery_properties : lower(property.header_name)])) == length(var.delivery_properties)
    error_message = "delivery_properties must have each header once."
  }
  validation {
    condition     = alltrue([for property in var.delivery_properties : property.source_field == null ? true : can(regex("^[^ ]+$", property.source_field))])
    error_message = "delivery_properties must have a source_field that is the path of a value in the event, such as data.system."
  }
}

variable "labels" {
  description = "Labels of the event subscription."
  type        = list(string)
  default     = []
  nullable    = false
  validation {
    condition     = !contains(var.labels, "")
    error_message = "labels must not be empty."
  }
}
