resource "azurerm_eventgrid_topic" "this" {
  name                          = var.name
  resource_group_name           = var.resource_group_name
  location                      = var.location
  input_schema                  = "CloudEventSchemaV1_0"
  local_auth_enabled            = var.local_auth_enabled
  public_network_access_enabled = var.public_network_access_enabled
  inbound_ip_rule               = var.allowed_addresses == null ? null : [for range in var.allowed_addresses : { ip_mask = range, action = "Allow" }]
  tags                          = var.tags

  # With it, event subscriptions of the topic can dead-letter.
  identity {
    type = "SystemAssigned"
  }
}
