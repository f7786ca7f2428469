variable "display_name" {
  description = "Name of the application to create. Required without client_id."
  type        = string
  default     = null
}

variable "client_id" {
  description = "Client ID of an application that exists, with its service principal. It must be known when Terraform plans."
  type        = string
  default     = null
  validation {
    condition     = var.client_id == null || can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", var.client_id))
    error_message = "client_id must be a UUID: the client ID of an application, not its name."
  }
}

variable "writers" {
  description = "Object IDs of the principals that write event subscriptions of the webhook, by names of your choice: Event Grid refuses a writer without the app role. null stands for the identity that applies, {} for nobody. The application itself has it."
  type        = map(string)
  default     = null
  validation {
    condition     = alltrue([for id in values(coalesce(var.writers, {})) : can(regex("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", id))])
    error_message = "writers must be UUIDs: the object IDs of enterprise applications, users or groups."
  }
  validation {
    condition     = length(distinct([for id in values(coalesce(var.writers, {})) : lower(id)])) == length(coalesce(var.writers, {}))
    error_message = "writers must name each principal once, because Entra refuses the same assignment twice."
  }
}

variable "existing_assignments" {
  description = "Assignments of the app role that exist already, which Entra refuses to create again: event_grid, client, writers."
  type        = set(string)
  default     = []
  nullable    = false
  validation {
    condition     = length(setsubtract(var.existing_assignments, ["event_grid", "client", "writers"])) == 0
    error_message = "existing_assignments must be among event_grid, client and writers."
  }
}

variable "app_role_id" {
  description = "ID of the app role, if an application that exists has none. Give each configuration that shares the application its own."
  type        = string
  default     = "d9ae34f1-6cde-4b3f-9a4e-8f6f0f6d4c0e"
  nullable    = false
}

variable "event_grid_application_id" {
  description = "Application ID of Event Grid itself in this cloud: 4962773b-9cdb-44cf-a8bf-237846a00ab7 in the public cloud, 54316b56-3481-47f9-8f30-0300f5542a7b in that of the US government."
  type        = string
  default     = "4962773b-9cdb-44cf-a8bf-237846a00ab7"
  nullable    = false
}
