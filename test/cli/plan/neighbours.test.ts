import { describe, expect, it } from "vitest";
import { NEIGHBOURS } from "../../../cli/src/plan/neighbours.js";
import {
  ACCOUNT,
  type Change,
  EVENT_GRID,
  effects,
  NAMESPACE,
  planOf,
  SYSTEM,
  TOPIC,
  world,
} from "./world.js";

const system = (type: string) => [{ type, identity_ids: [], principal_id: "1" }];

/** For each row of the table: the resource, what cuts off, how sure that is, and what does not. */
const rows: readonly (readonly [string, Change, "lost" | "unknown", Change])[] = [
  [
    "azurerm_storage_account.plain",
    { network_rules: [{ default_action: "Deny", bypass: ["None"] }] },
    "lost",
    { network_rules: [{ default_action: "Allow", bypass: ["None"] }] },
  ],
  [
    "azurerm_storage_account.letters",
    { network_rules: [{ default_action: "Deny", bypass: ["None"] }] },
    "lost",
    { network_rules: [{ default_action: "Deny", bypass: ["AzureServices", "Logging"] }] },
  ],
  [
    "azurerm_storage_account.plain",
    { public_network_access_enabled: false, network_rules: [{ bypass: ["None"] }] },
    "lost",
    { access_tier: "Cool", min_tls_version: "TLS1_2" },
  ],
  [
    "azurerm_storage_account.plain",
    { shared_access_key_enabled: false },
    "lost",
    { shared_access_key_enabled: null },
  ],
  [
    "azurerm_storage_account.kept",
    { network_rules: [{ default_action: "Deny", bypass: ["AzureServices"] }] },
    "unknown",
    { network_rules: [] },
  ],
  [
    "azurerm_storage_account.letters",
    { min_tls_version: "TLS1_3" },
    "unknown",
    { min_tls_version: "TLS1_1", shared_access_key_enabled: false },
  ],
  [
    "azurerm_storage_account_network_rules.letters",
    { bypass: ["None"] },
    "lost",
    { default_action: "Allow" },
  ],
  ["azurerm_storage_account_network_rules.letters", { bypass: [] }, "lost", "destroyed"],
  [
    "azurerm_servicebus_namespace.bus",
    { network_rule_set: [{ default_action: "Deny", trusted_services_allowed: false }] },
    "lost",
    { network_rule_set: [{ default_action: "Deny", trusted_services_allowed: true }] },
  ],
  [
    "azurerm_eventhub_namespace.hubs",
    { network_rulesets: [{ default_action: "Deny", trusted_service_access_enabled: true }] },
    "lost",
    { network_rulesets: [] },
  ],
  [
    "azurerm_eventhub_namespace.hubs",
    { local_authentication_enabled: false },
    "lost",
    { maximum_throughput_units: 4 },
  ],
  [
    "azurerm_servicebus_namespace.bus",
    { public_network_access_enabled: false },
    "unknown",
    { local_auth_enabled: false },
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
    { lock_duration: "PT5M" },
  ],
  ["azurerm_servicebus_queue.orders", { status: "Disabled" }, "lost", { status: "Active" }],
  [
    "azurerm_servicebus_queue.orders",
    { default_message_ttl: "P1D" },
    "unknown",
    { max_size_in_megabytes: 4096 },
  ],
  ["azurerm_eventhub.orders", { status: "Disabled" }, "lost", { partition_count: 4 }],
  ["azurerm_eventgrid_topic.shop", { local_auth_enabled: false }, "unknown", { tags: { a: "b" } }],
  [
    "azurerm_eventgrid_namespace.shop",
    { inbound_ip_rule: [{ ip_mask: "10.1.0.0/16", action: "Allow" }] },
    "unknown",
    { inbound_ip_rule: [] },
  ],
  [
    "azurerm_eventgrid_namespace.shop",
    { public_network_access: "Disabled" },
    "unknown",
    {
      inbound_ip_rule: [
        { ip_mask: "10.0.0.0/8", action: "Allow" },
        { ip_mask: "11.0.0.0/8", action: "Allow" },
      ],
    },
  ],
  [
    "azurerm_eventgrid_topic.shop",
    { minimum_tls_version: "1.2" },
    "unknown",
    { public_network_access_enabled: true },
  ],
  [
    "azurerm_eventgrid_namespace_topic.orders",
    { event_retention_in_days: 1 },
    "lost",
    { event_retention_in_days: 7 },
  ],
  ["azurerm_eventgrid_namespace.shop", { capacity: 1 }, "unknown", { capacity: 4 }],
  [
    "azurerm_eventgrid_topic.shop",
    { identity: system("SystemAssigned") },
    "lost",
    {
      identity: [
        {
          ...Object(Object(world["azurerm_eventgrid_topic.shop"]).identity)[0],
          identity_ids: [
            ...Object(Object(world["azurerm_eventgrid_topic.shop"]).identity)[0].identity_ids,
            `${ACCOUNT}2`,
          ],
        },
      ],
    },
  ],
  [
    "azurerm_container_app.app",
    { identity: [] },
    "unknown",
    { identity: [{ type: "SystemAssigned, UserAssigned", identity_ids: [ACCOUNT] }] },
  ],
  ["azurerm_linux_web_app.web", { identity: [] }, "unknown", { app_settings: { A: "2" } }],
  [
    "azuread_application.orders",
    { identifier_uris: ["api://other"] },
    "lost",
    { identifier_uris: ["api://orders"] },
  ],
  [
    "azuread_application_identifier_uri.orders",
    "destroyed",
    "lost",
    { identifier_uri: "api://orders" },
  ],
  [
    "azuread_application.orders",
    { app_role: [{ value: "reader", id: "2" }] },
    "lost",
    { app_role: [{ value: "AzureEventGridSecureWebhookSubscriber", enabled: true, id: "1" }] },
  ],
  [
    "azuread_application.orders",
    { app_role: [{ value: "AzureEventGridSecureWebhookSubscriber", enabled: false }] },
    "lost",
    { display_name: "other", password: [] },
  ],
  ["azuread_application_app_role.subscriber", "destroyed", "lost", { display_name: "other" }],
  [
    "azuread_service_principal.orders",
    { account_enabled: false },
    "lost",
    { account_enabled: true },
  ],
  [
    "azurerm_container_app.app",
    { ingress: [{ external_enabled: false, target_port: 9000 }] },
    "lost",
    {
      ingress: [{ external_enabled: true, target_port: 9000, allow_insecure_connections: true }],
      template: [{ container: [{ image: "shop:2" }] }],
    },
  ],
  ["azurerm_container_app.app", { ingress: [] }, "lost", { revision_mode: "Multiple" }],
  [
    "azurerm_container_app_environment.shop",
    { public_network_access: "Disabled" },
    "lost",
    { log_analytics_workspace_id: "/subscriptions/1" },
  ],
  ["azurerm_linux_web_app.web", { enabled: false }, "lost", { https_only: true }],
  [
    "azurerm_linux_web_app.web",
    { public_network_access_enabled: false },
    "lost",
    { enabled: true },
  ],
  [
    "azurerm_linux_web_app.web",
    { client_certificate_enabled: true },
    "lost",
    { client_certificate_enabled: true, client_certificate_mode: "Optional" },
  ],
  [
    "azurerm_linux_web_app.web",
    { site_config: [{ ip_restriction: [{ ip_address: "10.0.0.0/8" }] }] },
    "unknown",
    { site_config: [{ always_on: true, ip_restriction: [] }] },
  ],
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
  [
    "azurerm_storage_account.files",
    "destroyed",
    "lost",
    { network_rules: [{ default_action: "Deny" }], shared_access_key_enabled: false },
  ],
  [
    "azurerm_management_lock.topic",
    {
      id: `${NAMESPACE}/providers/Microsoft.Authorization/locks/l`,
      scope: NAMESPACE,
      lock_level: "ReadOnly",
    },
    "unknown",
    {
      id: `${NAMESPACE}/providers/Microsoft.Authorization/locks/l`,
      scope: NAMESPACE,
      lock_level: "CanNotDelete",
    },
  ],
];

describe("the neighbours of deliveries", () => {
  it.each(rows)(
    "%s: %j loses events, %s, and %j does not",
    async (address, cuts, effect, keeps) => {
      const found = await effects(planOf({ [address]: cuts }));
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${effect} .* ${address}`)));
      expect(await effects(planOf({ [address]: keeps }))).toEqual([]);
    },
  );

  it("has a case for each row of the table", () => {
    const missing = NEIGHBOURS.filter(
      ({ types }) => !rows.some(([address]) => types.test(address.split(".")[0] ?? "")),
    );
    expect(missing).toEqual([]);
  });
});

/** The effects, without their messages. */
const verdicts = async (changes: Parameters<typeof planOf>[0]) =>
  (await effects(planOf(changes))).map((text) => text.replace(/:.*/, ""));

describe("roles", () => {
  const address = "azurerm_role_assignment.queue";
  const queue = world[address] ?? {};
  const other = (role: string, change: object = {}) => ({
    "azurerm_role_assignment.new": {
      ...queue,
      id: `${ACCOUNT}/other`,
      role_definition_name: role,
      ...change,
    },
  });

  it("are lost when the delivering identity gets a lesser one instead", async () => {
    const replaced = (role_definition_name: string) => {
      const plan = JSON.parse(planOf({ [address]: { role_definition_name } }));
      const changed = plan.resource_changes.find(
        (each: { address: string }) => each.address === address,
      );
      changed.change.actions = ["delete", "create"];
      return effects(JSON.stringify(plan));
    };
    expect(await replaced("Storage Queue Data Reader")).toEqual([
      expect.stringMatching(/^lost role .*is removed, with which queue may deliver/),
    ]);
    expect(await replaced("Storage Queue Data Contributor")).toEqual([
      expect.stringMatching(/^unknown role .*is removed for a moment/),
    ]);
  });

  it("may be missing for a moment when another one is created instead", async () => {
    const created = other("Storage Queue Data Contributor");
    expect(await verdicts({ [address]: "destroyed", ...created })).toEqual([
      `unknown role ${address}`,
    ]);
    const forOthers = other("Storage Queue Data Contributor", { principal_id: EVENT_GRID });
    expect(await verdicts({ [address]: "destroyed", ...forOthers })).toEqual([
      `lost role ${address}`,
    ]);
  });

  it.each([
    ["azurerm_role_assignment.dead", "lost"],
    ["azurerm_role_assignment.bus", "lost"],
    ["azurerm_role_assignment.publisher", "unknown"],
    ["azurerm_role_assignment.consumer", "unknown"],
    ["azuread_app_role_assignment.event_grid", "lost"],
  ])("are needed: %s is destroyed, %s", async (destroyed, effect) => {
    expect(await verdicts({ [destroyed]: "destroyed" })).toEqual([`${effect} role ${destroyed}`]);
  });

  it("are needed by publishers where there are no keys", async () => {
    const withoutKeys = { "azurerm_eventgrid_topic.shop": { local_auth_enabled: false } };
    expect(
      await verdicts({ ...withoutKeys, "azurerm_role_assignment.publisher": "destroyed" }),
    ).toContain("lost role azurerm_role_assignment.publisher");
  });

  it("are not needed if they write nothing", async () => {
    expect(await verdicts({ "azurerm_role_assignment.reader": "destroyed" })).toEqual([]);
    const written = { "azurerm_eventgrid_event_subscription.app": { labels: ["a"] } };
    expect(await verdicts({ ...written, "azurerm_role_assignment.reader": "destroyed" })).toEqual(
      [],
    );
  });

  it("are read from azapi, too", async () => {
    const sender = "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a";
    const plan = JSON.parse(planOf({ [address]: "destroyed" }));
    const before = {
      id: `${ACCOUNT}/providers/Microsoft.Authorization/roleAssignments/1`,
      type: "Microsoft.Authorization/roleAssignments@2022-04-01",
      parent_id: ACCOUNT,
      body: {
        properties: {
          principalId: SYSTEM,
          roleDefinitionId: `/subscriptions/1/providers/Microsoft.Authorization/roleDefinitions/${sender}`,
        },
      },
    };
    const changed = plan.resource_changes.find(
      (each: { address: string }) => each.address === address,
    );
    Object.assign(changed, { type: "azapi_resource", address: "azapi_resource.role" });
    changed.change.before = before;
    expect(await effects(JSON.stringify(plan))).toEqual([
      expect.stringMatching(/^lost role .*the role Storage Queue Data Message Sender is removed/),
    ]);
  });
});

describe("other changes", () => {
  it("are unknown at what a delivery depends on, and name the attribute", async () => {
    const changes = {
      "azurerm_storage_account.letters": { account_kind: "BlobStorage" },
      "azurerm_service_plan.web": {},
    };
    expect(await effects(planOf(changes))).toEqual([
      expect.stringMatching(
        /^unknown dead-letters azurerm_storage_account.letters: account_kind changes: what that does to deliveries is not known to this command \(needed by app/,
      ),
      expect.stringMatching(/^unknown destination .*account_kind.*\(needed by queue\)/),
    ]);
  });

  it("are judged by the part of a resource that azapi writes", async () => {
    const update = (properties: object) => ({
      "azapi_update_resource.account": {
        type: "Microsoft.Storage/storageAccounts@2023-05-01",
        resource_id: ACCOUNT,
        body: { properties },
      },
    });
    const address = "azapi_update_resource.account";
    expect(
      await verdicts(update({ networkAcls: { defaultAction: "Deny", bypass: "None" } })),
    ).toEqual([`lost dead-letters ${address}`, `lost destination ${address}`]);
    expect(await verdicts(update({ accessTier: "Cool" }))).toEqual([]);
    expect(await verdicts(update({ routingPreference: { a: 1 } }))).toEqual([
      `unknown dead-letters ${address}`,
      `unknown destination ${address}`,
    ]);
  });

  it("lose events where azapi disables a queue that a delivery depends on, and no other", async () => {
    const disabled = (queue: string) => ({
      "azapi_update_resource.queue": {
        type: "Microsoft.ServiceBus/namespaces/queues@2024-01-01",
        resource_id: String(world[`azurerm_servicebus_queue.${queue}`]?.id),
        body: { properties: { status: "Disabled" } },
      },
    });
    expect(await verdicts(disabled("orders"))).toEqual([
      "lost destination azapi_update_resource.queue",
    ]);
    expect(await verdicts(disabled("other"))).toEqual([]);
  });

  it("are silent at resources that no delivery depends on", async () => {
    const silent = {
      "azurerm_storage_queue.other": "destroyed",
      "azurerm_servicebus_queue.other": { status: "Disabled" },
      "azurerm_resource_group.shop": { tags: { a: "b" } },
      "azurerm_key_vault.shop": { sku_name: "premium" },
      "azurerm_storage_blob.a": { id: `${ACCOUNT}/blobServices/default/containers/dead/a` },
      "azurerm_monitor_metric_alert.a": { id: `${TOPIC}/alerts/a`, scopes: [TOPIC] },
      "azuread_application_identifier_uri.other": "destroyed",
      "azuread_application_app_role.reader": "destroyed",
      "azurerm_user_assigned_identity.sender": { tags: { a: "b" } },
    } as const;
    expect(await effects(planOf(silent))).toEqual([]);
  });

  it("are unknown when they are known only after the apply", async () => {
    const address = "azurerm_storage_account.plain";
    const plan = JSON.parse(planOf({ [address]: { network_rules: null } }));
    const changed = plan.resource_changes.find(
      (each: { address: string }) => each.address === address,
    );
    changed.change.after_unknown = { network_rules: true };
    expect(await effects(JSON.stringify(plan))).toEqual([
      expect.stringMatching(
        /^unknown dead-letters .*: it is not known whether its network rules refuse/,
      ),
    ]);
  });
});
