mock_provider "azurerm" {}

variables {
  name        = "orders"
  webhook_url = "https://orders.example.com/api/events"
  scope       = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop"
  tenant_id   = "11111111-1111-4111-8111-111111111111"
  client_id   = "44444444-4444-4444-8444-444444444444"
}

run "names_the_types_of_other_scopes_than_topics" {
  command = plan
  module {
    source = "./modules/event-subscription"
  }
  expect_failures = [azurerm_eventgrid_event_subscription.this]
}

run "refuses_what_event_grid_refuses" {
  command = plan
  module {
    source = "./modules/event-subscription"
  }
  variables {
    webhook_url          = "https://orders.example.com"
    scope                = "shop"
    included_event_types = ["Microsoft.Storage.*"]
    advanced_filters     = { string_in = [{ key = "data.system", value = "north" }] }
    batching             = { max_events_per_batch = 5001 }
    retry_policy         = { event_time_to_live = 0.5 }
    delivery_properties  = [{ header_name = "aeg-shop", value = "north" }]
    subject_filter       = { case_sensitive = true }
  }
  expect_failures = [var.webhook_url, var.scope, var.included_event_types, var.advanced_filters, var.batching, var.retry_policy, var.delivery_properties, var.subject_filter]
}

run "refuses_two_values_of_a_header" {
  command = plan
  module {
    source = "./modules/event-subscription"
  }
  variables {
    delivery_properties = [{ header_name = "X-Shop", value = "north", source_field = "data.shop" }]
  }
  expect_failures = [var.delivery_properties]
}

run "refuses_a_header_without_a_value" {
  command = plan
  module {
    source = "./modules/event-subscription"
  }
  variables {
    delivery_properties = [{ header_name = "X-Shop" }]
  }
  expect_failures = [var.delivery_properties]
}
