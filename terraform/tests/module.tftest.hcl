# Runs without an account: terraform init && terraform test

mock_provider "azurerm" {}
mock_provider "azapi" {}

# The provider checks mocked values too: without defaults, they would be no UUIDs.
mock_provider "azuread" {
  mock_data "azuread_client_config" {
    defaults = {
      tenant_id = "11111111-1111-4111-8111-111111111111"
      object_id = "33333333-3333-4333-8333-333333333333"
    }
  }
  mock_data "azuread_service_principal" {
    defaults = { object_id = "55555555-5555-4555-8555-555555555555" }
  }
  mock_data "azuread_application" {
    defaults = { object_id = "77777777-7777-4777-8777-777777777777", app_role_ids = {} }
  }
  mock_resource "azuread_application_registration" {
    defaults = {
      id        = "/applications/77777777-7777-4777-8777-777777777777"
      object_id = "77777777-7777-4777-8777-777777777777"
      client_id = "44444444-4444-4444-8444-444444444444"
    }
  }
  mock_resource "azuread_service_principal" {
    defaults = { object_id = "88888888-8888-4888-8888-888888888888" }
  }
}

variables {
  name        = "orders"
  webhook_url = "https://orders.example.com/api/events"
  scope       = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders"
}

run "creates_an_application" {
  assert {
    condition     = output.environment.ORDERS_CLIENT_ID == output.client_id && output.environment.ORDERS_HANDSHAKE_PORT == "8080" && output.environment.ORDERS_WEBHOOK_PATH == "/api/events"
    error_message = "The environment must have what the service needs."
  }
  assert {
    condition     = length(azurerm_role_assignment.dead_letter) == 0 && length(terraform_data.role_effect) == 0
    error_message = "Nothing must wait without dead letters."
  }
  assert {
    condition     = !contains(keys(output.environment), "ORDERS_CLOUD")
    error_message = "The public cloud must need no variable."
  }
}

run "leaves_the_event_subscription_to_others" {
  command = plan
  variables {
    create_event_subscription = false
  }
  assert {
    condition     = length(module.event_subscription) == 0
    error_message = "The module must create everything but the event subscription."
  }
}

run "grants_what_dead_letters" {
  command = plan
  variables {
    dead_letter = {
      storage_account_id          = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/letters"
      storage_blob_container_name = "dead"
      identity                    = { type = "SystemAssigned", principal_id = "66666666-6666-4666-8666-666666666666" }
    }
  }
  assert {
    condition     = one(azurerm_role_assignment.dead_letter[*].principal_id) == var.dead_letter.identity.principal_id && length(terraform_data.role_effect) == 1
    error_message = "The identity must get its right before the event subscription."
  }
}

run "leaves_existing_assignments_alone" {
  command = plan
  variables {
    client_id            = "44444444-4444-4444-8444-444444444444"
    existing_assignments = ["client_at_scope"]
  }
  assert {
    condition     = length(azurerm_role_assignment.event_subscription_contributor) == 0
    error_message = "Azure refuses the same assignment twice."
  }
}

run "refuses_invalid_settings" {
  command = plan
  variables {
    name                    = "1-orders"
    port                    = 65536
    event_subscription_name = "a b"
    authority_host          = ""
    scope                   = "shop"
    webhook_url             = "http://orders.example.com"
    role_effect_seconds     = 1.5
    client_id               = "orders webhook"
    writers                 = { pipeline = { object_id = "pipeline" } }
    dead_letter             = { storage_account_id = "letters", storage_blob_container_name = "dead" }
  }
  expect_failures = [
    var.name, var.port, var.event_subscription_name, var.authority_host,
    var.scope, var.webhook_url, var.role_effect_seconds, var.dead_letter,
    var.client_id, var.writers,
  ]
}

run "refuses_a_principal_as_two_writers" {
  command = plan
  variables {
    writers = {
      pipeline = { object_id = "66666666-6666-4666-8666-aaaaaaaaaaaa" }
      people   = { object_id = "66666666-6666-4666-8666-AAAAAAAAAAAA" }
    }
  }
  expect_failures = [var.writers]
}

run "refuses_an_identity_as_two_receivers" {
  command = plan
  module {
    source = "./modules/pull"
  }
  variables {
    namespace_name    = "orders-events"
    resource_group_id = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop"
    location          = "westeurope"
    receivers = {
      one = "66666666-6666-4666-8666-aaaaaaaaaaaa"
      two = "66666666-6666-4666-8666-AAAAAAAAAAAA"
    }
  }
  expect_failures = [var.receivers]
}

run "refuses_an_application_as_its_own_writer" {
  command = plan
  variables {
    client_id            = "44444444-4444-4444-8444-444444444444"
    existing_assignments = ["writers"]
    writers              = { itself = { object_id = "55555555-5555-4555-8555-555555555555" } }
  }
  expect_failures = [azurerm_role_assignment.event_subscription_contributor]
}

run "refuses_an_application_as_its_own_holder" {
  command = plan
  module {
    source = "./modules/webhook-application"
  }
  variables {
    client_id   = "44444444-4444-4444-8444-444444444444"
    app_role_id = "99999999-9999-4999-8999-999999999999"
    writers     = { itself = "55555555-5555-4555-8555-555555555555" }
  }
  expect_failures = [azuread_app_role_assignment.subscriber]
}

run "refuses_to_dead_letter_with_an_unknown_identity" {
  command = plan
  variables {
    dead_letter = {
      storage_account_id          = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/letters"
      storage_blob_container_name = "dead"
      identity                    = { type = "SystemAssigned" }
    }
  }
  expect_failures = [azurerm_role_assignment.dead_letter]
}

run "refuses_the_invalid_name_and_region_of_a_topic" {
  command = plan
  module {
    source = "./modules/topic"
  }
  variables {
    name                = "ab"
    resource_group_name = "shop"
    location            = "west-europe"
  }
  expect_failures = [var.name, var.location]
}
