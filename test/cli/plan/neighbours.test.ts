import { describe, expect, it } from "vitest";
import { NEIGHBOURS } from "../../../cli/src/plan/effects/neighbours.js";
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

/** For each row of the table: what cuts off, how sure that is, and what does not. */
const rows: Readonly<Record<string, readonly (readonly [Change, "lost" | "unknown", Change])[]>> = {
  "azurerm_storage_account.plain": [
    [
      { network_rules: [{ default_action: "Deny", bypass: ["None"] }] },
      "lost",
      { network_rules: [{ default_action: "Allow", bypass: ["None"] }] },
    ],
    [
      { public_network_access_enabled: false, network_rules: [{ bypass: ["None"] }] },
      "lost",
      { access_tier: "Cool", min_tls_version: "TLS1_2" },
    ],
    [{ shared_access_key_enabled: false }, "lost", { shared_access_key_enabled: null }],
  ],
  "azurerm_storage_account.letters": [
    [
      { min_tls_version: "TLS1_3" },
      "unknown",
      { min_tls_version: "TLS1_1", shared_access_key_enabled: false },
    ],
  ],
  "azurerm_storage_account_network_rules.letters": [
    [{ bypass: ["None"] }, "lost", { default_action: "Allow" }],
    [{ bypass: [] }, "lost", "destroyed"],
  ],
  "azurerm_eventhub_namespace.hubs": [
    [
      { network_rulesets: [{ default_action: "Deny", trusted_service_access_enabled: true }] },
      "lost",
      { network_rulesets: [] },
    ],
    [{ local_authentication_enabled: false }, "lost", { maximum_throughput_units: 4 }],
    [{ capacity: 1 }, "unknown", { capacity: 4, identity: [{ type: "SystemAssigned" }] }],
  ],
  "azurerm_servicebus_namespace.bus": [
    [{ public_network_access_enabled: false }, "unknown", { local_auth_enabled: false }],
    [{ sku: "Standard" }, "unknown", { minimum_tls_version: "1.2" }],
  ],
  "azurerm_servicebus_namespace_network_rule_set.bus": [
    [{ trusted_services_allowed: false }, "lost", "destroyed"],
  ],
  "azurerm_servicebus_queue.orders": [
    [{ status: "SendDisabled" }, "lost", { lock_duration: "PT5M" }],
    [{ default_message_ttl: "P1D" }, "unknown", { max_size_in_megabytes: 4096 }],
    [
      { dead_lettering_on_message_expiration: false },
      "unknown",
      { dead_lettering_on_message_expiration: true, max_delivery_count: 20 },
    ],
  ],
  "azurerm_eventhub.orders": [
    [{ status: "Disabled" }, "lost", { partition_count: 4 }],
    [
      { retention_description: [{ cleanup_policy: "Delete", retention_time_in_hours: 1 }] },
      "unknown",
      { retention_description: [{ cleanup_policy: "Delete", retention_time_in_hours: 240 }] },
    ],
  ],
  "azurerm_eventgrid_topic.shop": [
    [{ local_auth_enabled: false }, "unknown", { tags: { a: "b" } }],
    [{ minimum_tls_version: "1.2" }, "unknown", { public_network_access_enabled: true }],
    [
      { identity: [{ ...own, type: "SystemAssigned", identity_ids: [], principal_id: "1" }] },
      "lost",
      { identity: [{ ...own, identity_ids: [...own.identity_ids, `${ACCOUNT}2`] }] },
    ],
  ],
  "azurerm_eventgrid_namespace.shop": [
    [
      { inbound_ip_rule: [{ ip_mask: "203.0.113.0/24", action: "Allow" }] },
      "unknown",
      { inbound_ip_rule: [] },
    ],
    [{ public_network_access: "Disabled" }, "unknown", { capacity: 4 }],
    [{ capacity: 1 }, "unknown", { tags: { a: "b" } }],
  ],
  "azurerm_eventgrid_namespace_topic.orders": [
    [{ event_retention_in_days: 1 }, "lost", { event_retention_in_days: 7 }],
  ],
  "azuread_application.orders": [
    [{ identifier_uris: ["api://other"] }, "lost", { identifier_uris: ["api://orders"] }],
    [
      { app_role: [{ value: "reader", id: "2" }] },
      "lost",
      { app_role: [{ value: "AzureEventGridSecureWebhookSubscriber", enabled: true, id: "1" }] },
    ],
    [
      { api: [{ requested_access_token_version: 2 }] },
      "unknown",
      { api: [{ requested_access_token_version: 1, known_client_applications: ["1"] }] },
    ],
    [{ api: [{ mapped_claims_enabled: true }] }, "unknown", { api: [{}] }],
  ],
  "azuread_application_identifier_uri.orders": [
    ["destroyed", "lost", { identifier_uri: "api://orders" }],
  ],
  "azuread_service_principal.orders": [
    [{ app_role_assignment_required: true }, "unknown", { app_role_assignment_required: null }],
    [{ account_enabled: false }, "lost", { account_enabled: true }],
  ],
  "azuread_application_app_role.subscriber": [["destroyed", "lost", { display_name: "other" }]],
  "azurerm_private_endpoint.topic": [
    ["destroyed", "lost", { custom_network_interface_name: "nic" }],
  ],
  "azurerm_private_dns_zone.topic": [["destroyed", "lost", { soa_record: [{ ttl: 1 }] }]],
  "azurerm_private_dns_zone_virtual_network_link.topic": [
    ["destroyed", "lost", { registration_enabled: true }],
  ],
  "azurerm_private_dns_a_record.topic": [
    [{ records: ["10.0.0.5"] }, "lost", { records: ["10.0.0.4", "10.0.0.5"] }],
  ],
  "azurerm_storage_container.files": [["destroyed", "unknown", { metadata: { a: "b" } }]],
  "azurerm_storage_account.files": [
    [
      "destroyed",
      "lost",
      { network_rules: [{ default_action: "Deny" }], shared_access_key_enabled: false },
    ],
    [{ account_kind: "Storage" }, "lost", { access_tier: "Cool" }],
  ],
  "azurerm_servicebus_namespace.queues": [
    [{ sku: "Standard" }, "lost", { minimum_tls_version: "1.2" }],
  ],
  "azurerm_signalr_service.live": [
    [{ service_mode: "Default" }, "lost", { service_mode: "Classic" }],
  ],
  "azurerm_storage_management_policy.p": [
    [lifecycle(["logs/", "dead/shop/"]), "unknown", lifecycle(["logs/"])],
  ],
  "azurerm_management_lock.topic": [[lock("ReadOnly"), "unknown", lock("CanNotDelete")]],
};

describe("the neighbours of deliveries", () => {
  it.each(Object.entries(rows))(
    "lose events by some changes, and not by others: %s",
    async (address, all) => {
      for (const [cuts, effect, keeps] of all) {
        const found = await effects(planOf({ [address]: cuts }));
        expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${effect} .* ${address}`)));
        expect(await effects(planOf({ [address]: keeps }))).toEqual([]);
      }
    },
  );

  it("has a case for each row of the table", () => {
    const types = Object.keys(rows).map((address) => address.split(".")[0] ?? "");
    const missing = NEIGHBOURS.filter((row) => !types.some((type) => row.types.test(type)));
    expect(missing).toEqual([]);
  });
});
