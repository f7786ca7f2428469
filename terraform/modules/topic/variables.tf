variable "name" {
  description = "Name of the topic: 3 to 50 letters, digits and hyphens, unique in the region."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[0-9a-zA-Z-]{3,50}$", var.name)) && !can(regex("^(?i:Microsoft|System|EventGrid)-", var.name))
    error_message = "name must be 3 to 50 letters, digits and hyphens, and not begin with Microsoft-, System- or EventGrid-."
  }
}

variable "resource_group_name" {
  description = "Resource group of the topic."
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

variable "local_auth_enabled" {
  description = "Whether publishers may authenticate with an access key. Without it they need the role EventGrid Data Sender."
  type        = bool
  default     = false
  nullable    = false
}

variable "public_network_access_enabled" {
  description = "Whether the public internet can reach it. If not, it needs a private endpoint."
  type        = bool
  default     = true
  nullable    = false
}

variable "allowed_addresses" {
  description = "IPv4 address ranges, in CIDR notation, that may publish over the public internet. null allows any address."
  type        = list(string)
  default     = null
  validation {
    condition     = alltrue([for range in coalesce(var.allowed_addresses, []) : can(cidrhost(strcontains(range, "/") ? range : "${range}/32", 0)) && !strcontains(range, ":")])
    error_message = "allowed_addresses must be IPv4 address ranges in CIDR notation such as 203.0.113.0/24."
  }
}

variable "tags" {
  description = "Tags of the topic."
  type        = map(string)
  default     = null
}
