import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { expect } from "vitest";
import { createAccount } from "../terraform/storage.js";
import { type Shop, WEBHOOK_URL } from "./shop.js";

/** Calls the module for a new topic, which later settings do not change. */
export function orders(settings = ""): string {
  return `module "topic" {
  source              = "./terraform/modules/topic"
  name                = "orders"
  resource_group_name = "shop"
  location            = "westeurope"
}
module "orders" {
  source              = "./terraform"
  name                = "orders"
  webhook_url         = "${WEBHOOK_URL}"
  scope               = module.topic.id
  role_effect_seconds = 0
${settings}}
output "environment" { value = module.orders.environment }
`;
}

/** Writes every setting of the module to an event subscription, takes each back, and destroys it. */
export async function expectSettings(shop: Shop): Promise<void> {
  const { cloud } = shop;
  await shop.createGroup();
  const account = await createAccount(cloud, "letters", "dead");
  const { terraform, write } = await shop.configuration(
    orders(`  included_event_types = ["shop.order.placed"]
  subject_filter       = { subject_begins_with = "orders/" }
  advanced_filters     = { number_in_range = [{ key = "data.total", ranges = [[1, 5]] }] }
  batching             = { max_events_per_batch = 10 }
  retry_policy         = { max_delivery_attempts = 5 }
  dead_letter = {
    storage_account_id          = "${account}"
    storage_blob_container_name = "dead"
    identity                    = { type = "SystemAssigned", principal_id = module.topic.principal_id }
  }
  delivery_properties = [{ header_name = "X-Shop", value = "north", secret = true }]
  labels              = ["shop"]
`),
  );
  await terraform.validate();
  await terraform.apply();
  expect((await terraform.plan()).changes).toEqual([]);
  const settings = () => cloud.eventSubscriptions.list()[0]?.settings;
  expect(settings()).toMatchObject({
    endpointUrl: WEBHOOK_URL,
    filter: {
      includedEventTypes: ["shop.order.placed"],
      subjectBeginsWith: "orders/",
      advancedFilters: [{ operatorType: "NumberInRange", key: "data.total" }],
    },
    batching: { maxEventsPerBatch: 10 },
    retryPolicy: { maxDeliveryAttempts: 5 },
    deadLetter: { properties: { blobContainerName: "dead" } },
    labels: ["shop"],
  });

  write(orders());
  const { outputs } = await terraform.apply();
  expect((await terraform.plan()).changes).toEqual([]);
  expect(settings()).toMatchObject({
    batching: { maxEventsPerBatch: 1 },
    retryPolicy: { maxDeliveryAttempts: 30 },
  });
  expect(settings()?.filter.includedEventTypes ?? []).toEqual([]);
  expect(settings()?.filter.advancedFilters ?? []).toEqual([]);
  expect([settings()?.deadLetter, settings()?.labels ?? []]).toEqual([undefined, []]);
  const environment = Object(outputs.environment);
  expect(bindingFromEnvironment("ORDERS", { direction: "input", env: environment })).toMatchObject({
    cloudTenantId: cloud.tenantId,
    cloudClientId: settings()?.clientId,
    handshakePort: "8080",
    path: "/api/events",
  });
  await terraform.destroy();
  expect(cloud.eventSubscriptions.list()).toEqual([]);
}
