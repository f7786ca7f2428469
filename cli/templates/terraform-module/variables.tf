variable "tenant_id" {
  description = "Entra tenant of the webhook's application."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.tenant_id))
    error_message = "tenant_id must be a UUID."
  }
}

variable "subscription_id" {
  description = "Azure subscription in which event subscriptions are written."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.subscription_id))
    error_message = "subscription_id must be a UUID."
  }
}

variable "client_id" {
  description = "Client ID of the webhook's application, which exists already."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.client_id))
    error_message = "client_id must be a UUID."
  }
}

variable "subscriber_endpoint" {
  description = "Public HTTPS URL of the webhook. Without a path, /api/events is added."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^https://[^/?#]+(/[^#]*)?([?][^#]*)?$", var.subscriber_endpoint))
    error_message = "subscriber_endpoint must be an https URL without a fragment."
  }
}

variable "handshake_port" {
  description = "Port on which the service listens, behind the public URL."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[1-9][0-9]{0,4}$", var.handshake_port)) ? tonumber(var.handshake_port) <= 65535 : false
    error_message = "handshake_port must be a port from 1 to 65535."
  }
}

variable "scope" {
  description = "Resource ID whose events are delivered: a subscription, a resource group, a resource or a topic."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^/*subscriptions/", var.scope))
    error_message = "scope must be a resource ID that begins with /subscriptions/."
  }
}

variable "event_subscription_name" {
  description = "Name of the event subscription."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[-a-zA-Z0-9]{3,64}$", var.event_subscription_name))
    error_message = "event_subscription_name must be 3 to 64 letters, digits and hyphens."
  }
}

variable "app_role_id" {
  description = "ID of the app role that the application gets if it has none. Give each configuration that shares an application its own."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.app_role_id))
    error_message = "app_role_id must be a UUID."
  }
}

variable "event_grid_application_id" {
  description = "Application ID of Event Grid itself in this cloud."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.event_grid_application_id))
    error_message = "event_grid_application_id must be a UUID."
  }
}

variable "application" {
  description = "Creates the webhook's application, which is used instead of client_id."
  type = object({
    display_name = string
  })
  default = null
}

variable "topic" {
  description = "Creates a topic, whose events are delivered instead of those of scope."
  type = object({
    name                  = string
    resource_group_name   = string
    location              = string
    local_auth_enabled    = optional(bool, true)
    public_network_access = optional(bool, true)
    allowed_addresses     = optional(list(string))
    identity = optional(object({
      type                     = string
      user_assigned_identities = optional(list(string))
    }))
    tags = optional(map(string))
  })
  default = null

  validation {
    condition     = var.topic == null ? true : can(regex("^[-a-zA-Z0-9]{3,50}$", var.topic.name))
    error_message = "topic must have a name of 3 to 50 letters, digits and hyphens."
  }

  validation {
    condition = try(var.topic.identity, null) == null ? true : (
      var.topic.identity.type == "UserAssigned" ? try(length(var.topic.identity.user_assigned_identities) > 0, false) :
      var.topic.identity.type == "SystemAssigned" && var.topic.identity.user_assigned_identities == null
    )
    error_message = "topic must have an identity of the type SystemAssigned, or UserAssigned with user_assigned_identities."
  }
}

variable "wait_for" {
  description = "What serves the webhook, such as [azurerm_container_app.orders.id]. Only the event subscription waits for it; depends_on of the module would fail the plan."
  type        = any
  default     = []
}

variable "probe" {
  description = "Probes the webhook before the event subscription is created, from the machine that applies. {} runs the package cloud-eventgrid with Node.js, from node_modules of the folder where Terraform runs or of one above it. Nothing is downloaded."
  type = object({
    command         = optional(list(string), ["node", "--eval", "require('cloud-eventgrid/bin/cloud-eventgrid.js')", "--", "cloud-eventgrid"])
    timeout_seconds = optional(number, 120)
    options         = optional(list(string), [])
  })
  default = null

  validation {
    condition     = var.probe == null ? true : floor(var.probe.timeout_seconds) == var.probe.timeout_seconds && var.probe.timeout_seconds >= 1 && var.probe.timeout_seconds <= 3600
    error_message = "probe must have timeout_seconds from 1 to 3600."
  }

  validation {
    condition     = var.probe == null ? true : length(var.probe.command) > 0
    error_message = "probe must have a command that names a program: leave it out for the default."
  }
}

variable "included_event_types" {
  description = "Event types to deliver. An empty list delivers all."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "subject_filter" {
  description = "Which subjects are delivered, by their beginning, their end, or both."
  type = object({
    begins_with    = optional(string)
    ends_with      = optional(string)
    case_sensitive = optional(bool)
  })
  default = null

  validation {
    condition     = var.subject_filter == null ? true : var.subject_filter.begins_with != null || var.subject_filter.ends_with != null
    error_message = "subject_filter must have begins_with or ends_with."
  }
}

variable "advanced_filters" {
  description = "Conditions that all must hold. The operator is one of azurerm, such as string_in, and the value is in the attribute of its type."
  type = list(object({
    operator = string
    key      = string
    boolean  = optional(bool)
    number   = optional(number)
    numbers  = optional(list(number))
    ranges   = optional(list(list(number)))
    strings  = optional(list(string))
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for filter in var.advanced_filters : can(regex("^(bool_equals|is_not_null|is_null_or_undefined|number_(greater_than|less_than)(_or_equals)?|number_(not_)?in(_range)?|string_(not_)?(in|begins_with|ends_with|contains))$", filter.operator))])
    error_message = "advanced_filters must have operators of azurerm, such as string_in."
  }
}

variable "filter_arrays" {
  description = "Whether advanced filters also look into arrays."
  type        = bool
  default     = false
  nullable    = false
}

variable "additional_scopes" {
  description = "Further scopes to receive events from, by keys of your choice. Each has filters of its own, and shares the other settings. assigns_role is false where the client and the writers have their role already, as in two event subscriptions of one scope."
  type = map(object({
    scope                   = string
    event_subscription_name = optional(string)
    included_event_types    = optional(list(string), [])
    subject_filter = optional(object({
      begins_with    = optional(string)
      ends_with      = optional(string)
      case_sensitive = optional(bool)
    }))
    advanced_filters = optional(list(object({
      operator = string
      key      = string
      boolean  = optional(bool)
      number   = optional(number)
      numbers  = optional(list(number))
      ranges   = optional(list(list(number)))
      strings  = optional(list(string))
    })), [])
    filter_arrays = optional(bool, false)
    assigns_role  = optional(bool, true)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in keys(var.additional_scopes) : key != "scope" && can(regex("^[a-zA-Z0-9-]{1,40}$", key))])
    error_message = "additional_scopes must have keys of 1 to 40 letters, digits and hyphens. The key scope is reserved."
  }

  validation {
    condition     = alltrue([for settings in values(var.additional_scopes) : can(regex("^/*subscriptions/", settings.scope))])
    error_message = "additional_scopes must have resource IDs that begin with /subscriptions/."
  }

  validation {
    condition     = alltrue([for settings in values(var.additional_scopes) : settings.event_subscription_name == null ? true : can(regex("^[-a-zA-Z0-9]{3,64}$", settings.event_subscription_name))])
    error_message = "additional_scopes must have event subscription names of 3 to 64 letters, digits and hyphens."
  }

  validation {
    condition     = alltrue([for settings in values(var.additional_scopes) : settings.subject_filter == null ? true : settings.subject_filter.begins_with != null || settings.subject_filter.ends_with != null])
    error_message = "additional_scopes must have subject filters with begins_with or ends_with."
  }

  validation {
    condition     = alltrue([for filter in flatten(values(var.additional_scopes)[*].advanced_filters) : can(regex("^(bool_equals|is_not_null|is_null_or_undefined|number_(greater_than|less_than)(_or_equals)?|number_(not_)?in(_range)?|string_(not_)?(in|begins_with|ends_with|contains))$", filter.operator))])
    error_message = "additional_scopes must have advanced filters with operators of azurerm, such as string_in."
  }
}

variable "max_events_per_batch" {
  description = "Most events in one request, from 1 to 5000."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = floor(var.max_events_per_batch) == var.max_events_per_batch && var.max_events_per_batch >= 1 && var.max_events_per_batch <= 5000
    error_message = "max_events_per_batch must be a whole number from 1 to 5000."
  }
}

variable "preferred_batch_size_in_kilobytes" {
  description = "Preferred size of one request, from 1 to 1024 KB."
  type        = number
  default     = 64
  nullable    = false

  validation {
    condition     = floor(var.preferred_batch_size_in_kilobytes) == var.preferred_batch_size_in_kilobytes && var.preferred_batch_size_in_kilobytes >= 1 && var.preferred_batch_size_in_kilobytes <= 1024
    error_message = "preferred_batch_size_in_kilobytes must be a whole number from 1 to 1024."
  }
}

variable "max_delivery_attempts" {
  description = "Delivery attempts, from 1 to 30."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = floor(var.max_delivery_attempts) == var.max_delivery_attempts && var.max_delivery_attempts >= 1 && var.max_delivery_attempts <= 30
    error_message = "max_delivery_attempts must be a whole number from 1 to 30."
  }
}

variable "event_time_to_live_minutes" {
  description = "Minutes until Event Grid gives up, from 1 to 1440."
  type        = number
  default     = 1440
  nullable    = false

  validation {
    condition     = floor(var.event_time_to_live_minutes) == var.event_time_to_live_minutes && var.event_time_to_live_minutes >= 1 && var.event_time_to_live_minutes <= 1440
    error_message = "event_time_to_live_minutes must be a whole number from 1 to 1440."
  }
}

variable "dead_letter" {
  description = "Container for events that could not be delivered. Its identity, one of the topic that the events come from, gets the right to write there. principal_id is not needed for the SystemAssigned identity of topic."
  type = object({
    storage_account_id = string
    container          = string
    identity = optional(object({
      type                   = string
      principal_id           = optional(string)
      user_assigned_identity = optional(string)
    }))
  })
  default = null

  validation {
    condition     = var.dead_letter == null ? true : can(regex("^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$", var.dead_letter.storage_account_id))
    error_message = "dead_letter must have the resource ID of a storage account."
  }

  validation {
    condition     = var.dead_letter == null ? true : can(regex("^[a-z0-9](-?[a-z0-9]){2,62}$", var.dead_letter.container))
    error_message = "dead_letter must have a container: 3 to 63 lower-case letters, digits and single hyphens."
  }

  validation {
    condition = try(var.dead_letter.identity, null) == null ? true : (
      contains(["SystemAssigned", "UserAssigned"], var.dead_letter.identity.type) &&
      (var.dead_letter.identity.type == "UserAssigned") == (var.dead_letter.identity.user_assigned_identity != null)
    )
    error_message = "dead_letter must have an identity of the type SystemAssigned, or UserAssigned with user_assigned_identity."
  }
}

variable "delivery_properties" {
  description = "Headers that every delivery carries, each with a value or a field of the event; at most 10."
  type = list(object({
    header_name  = string
    value        = optional(string)
    secret       = optional(bool, false)
    source_field = optional(string)
  }))
  default  = []
  nullable = false

  validation {
    condition     = length(var.delivery_properties) <= 10 && alltrue([for property in var.delivery_properties : (property.value == null) != (property.source_field == null)])
    error_message = "delivery_properties must be at most 10 headers, each with either value or source_field."
  }
}

variable "labels" {
  description = "Labels of the event subscription."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "expiration_time_utc" {
  description = "When the event subscription expires, such as 2030-01-01T00:00:00Z."
  type        = string
  default     = null

  validation {
    condition     = var.expiration_time_utc == null ? true : can(regex("^[0-9-]{10}T[0-9:]{8}Z$", var.expiration_time_utc)) && can(timeadd(var.expiration_time_utc, "0s"))
    error_message = "expiration_time_utc must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z."
  }
}

variable "writer_principals" {
  description = "Who may write the event subscription, by object IDs that are known when Terraform plans: each gets the app role and the right at the scope. An empty list stands for the identity that applies, which must have that right already."
  type = list(object({
    object_id      = string
    principal_type = string
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for writer in var.writer_principals : contains(["User", "Group", "ServicePrincipal"], writer.principal_type) && can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", writer.object_id))])
    error_message = "writer_principals must have an object_id, which is a UUID, and the principal_type User, Group or ServicePrincipal."
  }
}

variable "existing_assignments" {
  description = "Assignments that exist already: eventGrid, client, writers, clientAtScope, writersAtScope, deadLetter."
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = length(setsubtract(var.existing_assignments, ["eventGrid", "client", "writers", "clientAtScope", "writersAtScope", "deadLetter"])) == 0
    error_message = "existing_assignments must be names from its description."
  }
}

variable "role_effect_seconds" {
  description = "Seconds to wait for new role assignments to take effect: by default 60 for the client that writes and for an identity that dead-letters. Set it to wait for those of writer_principals as well; 0 does not wait."
  type        = number
  default     = null

  validation {
    condition     = var.role_effect_seconds == null ? true : floor(var.role_effect_seconds) == var.role_effect_seconds && var.role_effect_seconds >= 0 && var.role_effect_seconds <= 3600
    error_message = "role_effect_seconds must be a whole number from 0 to 3600."
  }
}
