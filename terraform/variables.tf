variable "name" {
  description = "What the service is called: names the event subscription and the application, and begins the names of the environment variables."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[a-zA-Z][0-9a-zA-Z-]{1,63}$", var.name))
    error_message = "name must be 2 to 64 letters, digits and hyphens, and begin with a letter."
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

variable "wait_for" {
  description = "What serves the webhook, such as [azurerm_container_app.orders.id]: Event Grid calls it when the event subscription is created. depends_on of the module would make plans fail."
  type        = any
  default     = []
}

variable "port" {
  description = "Port on which the service listens, for its environment."
  type        = number
  default     = 8080
  nullable    = false
  validation {
    condition     = var.port >= 1 && var.port <= 65535 && floor(var.port) == var.port
    error_message = "port must be a whole number from 1 to 65535."
  }
}

variable "client_id" {
  description = "Client ID of an application that exists, with its service principal; known when Terraform plans. Without it, the module creates an application."
  type        = string
  default     = null
  validation {
    condition     = var.client_id == null || can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.client_id))
    error_message = "client_id must be a UUID: the client ID of an application, not its name."
  }
}

variable "writers" {
  description = "Principals that write the event subscription, by names of your choice: each gets the app role and the right at the scope. null stands for the identity that applies, which must have that right; {} for nobody. The application itself has both."
  type        = map(object({ object_id = string, principal_type = optional(string, "ServicePrincipal") }))
  default     = null
  validation {
    condition     = alltrue([for writer in values(coalesce(var.writers, {})) : contains(["User", "Group", "ServicePrincipal"], writer.principal_type)])
    error_message = "writers must have a principal_type among User, Group and ServicePrincipal."
  }
  validation {
    condition     = alltrue([for writer in values(coalesce(var.writers, {})) : can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", writer.object_id))])
    error_message = "writers must have an object_id that is a UUID: that of the enterprise application, user or group."
  }
  validation {
    condition     = length(distinct([for writer in values(coalesce(var.writers, {})) : lower(writer.object_id)])) == length(coalesce(var.writers, {}))
    error_message = "writers must name each principal once, because Entra refuses the same assignment twice."
  }
}

variable "existing_assignments" {
  description = "Assignments that exist already, which Entra and Azure refuse to create again: of the app role to event_grid, client and writers; at the scope to client_at_scope and writers_at_scope; at the container, dead_letter."
  type        = set(string)
  default     = []
  nullable    = false
  validation {
    condition     = length(setsubtract(var.existing_assignments, ["event_grid", "client", "writers", "client_at_scope", "writers_at_scope", "dead_letter"])) == 0
    error_message = "existing_assignments must be among event_grid, client, writers, client_at_scope, writers_at_scope and dead_letter."
  }
}

variable "role_effect_seconds" {
  description = "Seconds to wait for new role assignments to take effect. By default 60 for the identity that dead-letters; if set, also for those of writers. 0 does not wait."
  type        = number
  default     = null
  validation {
    condition     = var.role_effect_seconds == null ? true : var.role_effect_seconds >= 0 && var.role_effect_seconds <= 3600 && floor(var.role_effect_seconds) == var.role_effect_seconds
    error_message = "role_effect_seconds must be a whole number from 0 to 3600."
  }
}

variable "create_event_subscription" {
  description = "Whether to create the event subscription. Without it, everything else is created: if the webhook is deployed later, or a client of its own writes the event subscription."
  type        = bool
  default     = true
  nullable    = false
}

variable "event_subscription_name" {
  description = "Name of the event subscription. Default: name."
  type        = string
  default     = null
  validation {
    condition     = var.event_subscription_name == null || can(regex("^[0-9a-zA-Z-]{3,64}$", var.event_subscription_name))
    error_message = "event_subscription_name must be 3 to 64 letters, digits and hyphens."
  }
}

variable "included_event_types" {
  description = "Event types to deliver. An empty list delivers all types of a topic; for other scopes, name the types."
  type        = list(string)
  default     = []
}

variable "subject_filter" {
  description = "Which subjects are delivered, by their beginning, their end, or both."
  type        = object({ subject_begins_with = optional(string), subject_ends_with = optional(string), case_sensitive = optional(bool) })
  default     = null
}

variable "advanced_filters" {
  description = "Conditions that all must hold, by the operators of azurerm's block advanced_filter: { string_in = [{ key = \"data.system\", values = [\"north\"] }] }. The operators in_range take ranges; is_not_null and is_null_or_undefined take a key alone."
  type        = map(list(object({ key = string, value = optional(string), values = optional(list(string)), ranges = optional(list(list(number))) })))
  default     = {}
}

variable "batching" {
  description = "How many events one request has at most, from 1 to 5000 (default 1), and how large it should be, from 1 to 1024 KB (default 64)."
  type        = object({ max_events_per_batch = optional(number), preferred_batch_size_in_kilobytes = optional(number) })
  default     = {}
}

variable "retry_policy" {
  description = "How often Event Grid tries to deliver an event, from 1 to 30 (default 30), and for how many minutes, from 1 to 1440 (default 1440)."
  type        = object({ max_delivery_attempts = optional(number), event_time_to_live = optional(number) })
  default     = {}
}

variable "dead_letter" {
  description = "Container for events that could not be delivered; without one, Event Grid drops them. The identity must be one of the topic that the events come from; it gets the right to write into the container, for which the object ID of its principal is required. Without an identity, Event Grid writes with its own access to the account."
  type = object({
    storage_account_id          = string
    storage_blob_container_name = string
    identity                    = optional(object({ type = string, user_assigned_identity = optional(string), principal_id = optional(string) }))
  })
  default = null
  validation {
    condition     = var.dead_letter == null ? true : can(regex("^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$", var.dead_letter.storage_account_id))
    error_message = "dead_letter.storage_account_id must be the resource ID of a storage account (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name})."
  }
}

variable "delivery_properties" {
  description = "Headers that every delivery carries, at most 10, each with a value or with a field of the event."
  type        = list(object({ header_name = string, value = optional(string), secret = optional(bool, false), source_field = optional(string) }))
  default     = []
}

variable "labels" {
  description = "Labels of the event subscription."
  type        = list(string)
  default     = []
}

variable "cloud" {
  description = "Azure cloud: public or usgovernment. For another one, use modules/webhook-application with the ID of Event Grid's application."
  type        = string
  default     = "public"
  nullable    = false
  validation {
    condition     = contains(["public", "usgovernment"], var.cloud)
    error_message = "cloud must be public or usgovernment."
  }
}

variable "authority_host" {
  description = "Base URL of the token issuer if it is not the cloud's own: that of a local Azure."
  type        = string
  default     = null
  validation {
    condition     = var.authority_host == null || can(regex("^https?://[^/?#\\s]+$", var.authority_host))
    error_message = "authority_host must be a URL without a path, such as http://127.0.0.1:8080. If it is empty, no local Azure runs in the directory where you set it."
  }
}
