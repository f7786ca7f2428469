import { expect, it } from "vitest";
import { ACCOUNT, type Change, effects, NAMESPACE, planOf, world } from "./world.js";

const [own] = Object(world["azurerm_eventgrid_topic.shop"]).identity;

/** A policy that deletes the blobs of an account that begin so. */
const lifecycle = (prefix_match: string[]) => ({
  storage_account_id: ACCOUNT,
  rule: [{ name: "a", enabled: true, filters: [{ prefix_match }], actions: [{}] }],
});

const lock = (lock_level: string) => ({
  id: `${NAMESPACE}/providers/Microsoft.Authorization/locks/l`,
  ...{ scope: NAMESPACE, lock_level },
});

/** Changes of each kind of neighbour: what cuts off, how sure that is, and what does not. */
const rows: readonly (readonly [address: string, Change, "lost" | "unknown", Change])[] = [
  [
    "azurerm_storage_account.letters",
    { min_tls_version: "TLS1_3" },
    "unknown",
    { min_tls_version: "TLS1_1", shared_access_key_enabled: false },
  ],
  ["azurerm_storage_account_network_rules.letters", { bypass: [] }, "lost", "destroyed"],
  [
    "azurerm_eventhub_namespace.hubs",
    { network_rulesets: [{ default_action: "Deny", trusted_service_access_enabled: true }] },
    "lost",
    { network_rulesets: [], capacity: 4, identity: [{ type: "SystemAssigned" }] },
  ],
  [
    "azurerm_servicebus_namespace.bus",
    { public_network_access_enabled: false },
    "unknown",
    { local_auth_enabled: false, minimum_tls_version: "1.2" },
  ],
  [
    "azurerm_servicebus_namespace_network_rule_set.bus",
    { trusted_services_allowed: false },
    "lost",
    "destroyed",
  ],
  [
    "azurerm_servicebus_queue.orders",
    { status: "SendDisabled" },
    "lost",
    { lock_duration: "PT5M", max_delivery_count: 20 },
  ],
  [
    "azurerm_eventgrid_topic.shop",
    { minimum_tls_version: "1.2" },
    "unknown",
    { public_network_access_enabled: true, tags: { a: "b" } },
  ],
  [
    "azurerm_eventgrid_topic.shop",
    { identity: [{ ...own, type: "SystemAssigned", identity_ids: [], principal_id: "1" }] },
    "lost",
    { identity: [{ ...own, identity_ids: [...own.identity_ids, `${ACCOUNT}2`] }] },
  ],
  [
    "azurerm_eventgrid_namespace.shop",
    { public_network_access: "Disabled" },
    "unknown",
    { capacity: 4, inbound_ip_rule: [] },
  ],
  [
    "azurerm_eventgrid_namespace_topic.orders",
    { event_retention_in_days: 1 },
    "lost",
    { event_retention_in_days: 7 },
  ],
  [
    "azuread_application.orders",
    { api: [{ requested_access_token_version: 2 }] },
    "unknown",
    { api: [{ requested_access_token_version: 1, known_client_applications: ["1"] }] },
  ],
  [
    "azuread_application_identifier_uri.orders",
    "destroyed",
    "lost",
    { identifier_uri: "api://orders" },
  ],
  ["azuread_application_app_role.subscriber", "destroyed", "lost", { display_name: "other" }],
  ["azurerm_private_endpoint.topic", "destroyed", "lost", { custom_network_interface_name: "nic" }],
  ["azurerm_private_dns_zone.topic", "destroyed", "lost", { soa_record: [{ ttl: 1 }] }],
  [
    "azurerm_private_dns_zone_virtual_network_link.topic",
    "destroyed",
    "lost",
    { registration_enabled: true },
  ],
  [
    "azurerm_private_dns_a_record.topic",
    { records: ["10.0.0.5"] },
    "lost",
    { records: ["10.0.0.4", "10.0.0.5"] },
  ],
  ["azurerm_storage_container.files", "destroyed", "unknown", { metadata: { a: "b" } }],
  [
    "azurerm_storage_account.files",
    "destroyed",
    "lost",
    { network_rules: [{ default_action: "Deny" }], shared_access_key_enabled: false },
  ],
  ["azurerm_servicebus_namespace.queues", { sku: "Standard" }, "lost", { capacity: 2 }],
  [
    "azurerm_signalr_service.live",
    { service_mode: "Default" },
    "lost",
    { service_mode: "Classic" },
  ],
  [
    "azurerm_storage_management_policy.p",
    lifecycle(["logs/", "dead/shop/"]),
    "unknown",
    lifecycle(["logs/"]),
  ],
  ["azurerm_management_lock.topic", lock("ReadOnly"), "unknown", lock("CanNotDelete")],
];

it.each(rows)("loses events by some changes of %s, and not by others", async (...row) => {
  const [address, cuts, effect, keeps] = row;
  const found = await effects(planOf({ [address]: cuts }));
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${effect} .* ${address}`)));
  expect(await effects(planOf({ [address]: keeps }))).toEqual([]);
});
