module "event_subscription" {
  source               = "./modules/event-subscription"
  count                = var.create_event_subscription ? 1 : 0
  name                 = local.event_subscription_name
  scope                = local.scope
  webhook_url          = var.webhook_url
  tenant_id            = module.application.tenant_id
  client_id            = module.application.client_id
  included_event_types = var.included_event_types
  subject_filter       = var.subject_filter
  advanced_filters     = var.advanced_filters
  batching             = var.batching
  retry_policy         = var.retry_policy
  dead_letter          = var.dead_letter
  delivery_properties  = var.delivery_properties
  labels               = var.labels

  depends_on = [
    var.wait_for,
    module.application,
    azurerm_role_assignment.event_subscription_contributor,
    azurerm_role_assignment.dead_letter,
    terraform_data.role_effect,
  ]
}
