variable "tenant_id" {
  description = "Entra tenant of the webhook's application."
  type        = string
  nullable    = false
}

variable "subscription_id" {
  description = "Azure subscription in which event subscriptions are written."
  type        = string
  nullable    = false
}

variable "client_id" {
  description = "Client ID of the webhook's application, which exists already."
  type        = string
  nullable    = false
}

variable "subscriber_endpoint" {
  description = "Public HTTPS URL of the webhook. Without a path, /api/events is added."
  type        = string
  nullable    = false
}

variable "handshake_port" {
  description = "Port on which the service listens, behind the public URL."
  type        = string
  nullable    = false
}

variable "scope" {
  description = "Resource ID whose events are delivered: a subscription, a resource group, a resource or a topic."
  type        = string
  nullable    = false
}

variable "event_subscription_name" {
  description = "Name of the event subscription."
  type        = string
  nullable    = false
}

variable "app_role_id" {
  description = "ID of the app role that the application gets if it has none. Give each configuration that shares an application its own."
  type        = string
  nullable    = false
}

variable "event_grid_application_id" {
  description = "Application ID of Event Grid itself in this cloud."
  type        = string
  nullable    = false
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
    local_auth_enabled    = optional(bool, false)
    public_network_access = optional(bool, true)
    allowed_addresses     = optional(list(string))
    identity = optional(object({
      type                     = string
      user_assigned_identities = optional(list(string))
    }), { type = "SystemAssigned" })
    tags = optional(map(string))
  })
  default = null

  validation {
    condition = try(var.topic.identity, null) == null ? true : (
      var.topic.identity.type == "UserAssigned" ? try(length(var.topic.identity.user_assigned_identities) > 0, false) :
      var.topic.identity.user_assigned_identities == null
    )
    error_message = "topic must have an identity with user_assigned_identities if its type is UserAssigned, and without them otherwise."
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
    timeout_seconds = optional(number, 300)
    options         = optional(list(string), [])
  })
  default = null

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
    assigns_role = optional(bool, true)
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for key in keys(var.additional_scopes) : key != "scope" && can(regex("^[a-zA-Z0-9-]{1,40}$", key))])
    error_message = "additional_scopes must have keys of 1 to 40 letters, digits and hyphens. The key scope is reserved."
  }

  validation {
    condition     = alltrue([for settings in values(var.additional_scopes) : settings.subject_filter == null ? true : settings.subject_filter.begins_with != null || settings.subject_filter.ends_with != null])
    error_message = "additional_scopes must have subject filters with begins_with or ends_with."
  }
}

variable "max_events_per_batch" {
  description = "Most events in one request, from 1 to 5000."
  type        = number
  default     = 1
  nullable    = false
}

variable "preferred_batch_size_in_kilobytes" {
  description = "Preferred size of one request, from 1 to 1024 KB."
  type        = number
  default     = 64
  nullable    = false
}

variable "max_delivery_attempts" {
  description = "Delivery attempts, from 1 to 30."
  type        = number
  default     = 30
  nullable    = false
}

variable "event_time_to_live_minutes" {
  description = "Minutes until Event Grid gives up, from 1 to 1440."
  type        = number
  default     = 1440
  nullable    = false
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
    condition     = try(var.dead_letter.identity, null) == null ? true : (var.dead_letter.identity.type == "UserAssigned") == (var.dead_letter.identity.user_assigned_identity != null)
    error_message = "dead_letter must have an identity with user_assigned_identity if its type is UserAssigned, and without it otherwise."
  }
}

variable "delivery_properties" {
  description = "Headers that every delivery carries, each with a value or a field of the event."
  type = list(object({
    header_name  = string
    value        = optional(string)
    secret       = optional(bool, false)
    source_field = optional(string)
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for property in var.delivery_properties : (property.value == null) != (property.source_field == null)])
    error_message = "delivery_properties must have either value or source_field."
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
    condition     = var.expiration_time_utc == null ? true : can(timeadd(var.expiration_time_utc, "0s"))
    error_message = "expiration_time_utc must be a time that exists, such as 2030-01-01T00:00:00Z."
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
}
