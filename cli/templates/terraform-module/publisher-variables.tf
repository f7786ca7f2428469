variable "topic_endpoint" {
  description = "Endpoint of the topic to publish to."
  type        = string
  nullable    = false
}

variable "access_key" {
  description = "Access key of the topic."
  type        = string
  nullable    = false
}
