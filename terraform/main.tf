# What comes before the service: the application that authenticates the deliveries. Then roles.tf has the
# rights, and event-subscription.tf what comes after the service.

locals {
  scope                   = "/${trim(var.scope, "/")}"
  event_subscription_name = coalesce(var.event_subscription_name, var.name)
}

module "application" {
  source                    = "./modules/webhook-application"
  display_name              = var.client_id == null ? "${var.name} webhook" : null
  client_id                 = var.client_id
  app_role_id               = uuidv5("url", "https://${var.name}/AzureEventGridSecureWebhookSubscriber")
  writers                   = var.writers == null ? null : { for name, writer in var.writers : name => writer.object_id }
  existing_assignments      = setintersection(var.existing_assignments, ["event_grid", "client", "writers"])
  event_grid_application_id = { public = "4962773b-9cdb-44cf-a8bf-237846a00ab7", usgovernment = "54316b56-3481-47f9-8f30-0300f5542a7b" }[var.cloud]
}
