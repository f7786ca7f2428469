variable "topic_endpoint" {
  description = "Endpoint of the topic to publish to."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^https://[^?#]+$", var.topic_endpoint))
    error_message = "topic_endpoint must be an https URL without a query."
  }
}

variable "access_key" {
  description = "Access key of the topic."
  type        = string
  nullable    = false
}
