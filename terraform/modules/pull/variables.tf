variable "name" {
  description = "What the service is called: names the event subscription, and begins the names of the environment variables."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[a-zA-Z][0-9a-zA-Z-]{2,49}$", var.name))
    error_message = "name must be 3 to 50 letters, digits and hyphens, and begin with a letter."
  }
}

variable "namespace_name" {
  description = "Name of the namespace: 3 to 50 letters, digits and hyphens, unique in the region."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[0-9a-zA-Z-]{3,50}$", var.namespace_name)) && !can(regex("^(?i:Microsoft|System|EventGrid)", var.namespace_name))
    error_message = "namespace_name must be 3 to 50 letters, digits and hyphens, and not begin with Microsoft, System or EventGrid."
  }
}

variable "resource_group_id" {
  description = "Resource ID of the resource group."
  type        = string
  nullable    = false
}

variable "location" {
  description = "Azure region, such as westeurope."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[a-zA-Z][a-zA-Z0-9]*( [a-zA-Z0-9]+)*$", var.location))
    error_message = "location must be a region such as westeurope."
  }
}

variable "receivers" {
  description = "Object IDs of the managed identities that receive, by names of your choice: each gets the role EventGrid Data Receiver at the namespace."
  type        = map(string)
  nullable    = false
  validation {
    condition     = alltrue([for id in values(var.receivers) : can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", id))])
    error_message = "receivers must be UUIDs: the object IDs of managed identities."
  }
  validation {
    condition     = length(distinct([for id in values(var.receivers) : lower(id)])) == length(var.receivers)
    error_message = "receivers must name each identity once, because Azure refuses the same assignment twice."
  }
}

variable "event_retention_days" {
  description = "Days for which events wait for a receiver, from 1 to 7."
  type        = number
  default     = 7
  nullable    = false
  validation {
    condition     = contains(range(1, 8), var.event_retention_days)
    error_message = "event_retention_days must be a whole number from 1 to 7."
  }
}

variable "included_event_types" {
  description = "Event types to deliver. An empty list delivers all types."
  type        = list(string)
  default     = []
  nullable    = false
  validation {
    condition     = alltrue([for type in var.included_event_types : can(regex("^[^\\s\\p{Z}*\\p{Cc}]([^*\\p{Cc}]*[^\\s\\p{Z}*.\\p{Cc}])?$", type))])
    error_message = "included_event_types must be event types such as shop.order.placed, not patterns."
  }
}

variable "queue" {
  description = "How long a received event is hidden from other receivers, from 60 to 300 seconds, and how often it is delivered at most, from 1 to 10."
  type        = object({ receive_lock_duration_in_seconds = optional(number, 60), max_delivery_count = optional(number, 10) })
  default     = {}
  nullable    = false
  validation {
    condition     = contains(range(60, 301), var.queue.receive_lock_duration_in_seconds) && contains(range(1, 11), var.queue.max_delivery_count)
    error_message = "queue must have whole numbers: receive_lock_duration_in_seconds from 60 to 300, max_delivery_count from 1 to 10."
  }
}

variable "dead_letter" {
  description = "Container for events that were rejected, expired, or delivered too often; without one, Event Grid drops them. The namespace's identity gets the right to write into it."
  type        = object({ storage_account_id = string, storage_blob_container_name = string })
  default     = null
}

variable "tags" {
  description = "Tags of the namespace."
  type        = map(string)
  default     = null
}
