import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "../command.js";

/** Plans of each kind of report; `fixtures` has the text that is printed for each. */

type Attributes = Readonly<Record<string, unknown>>;

const ARM = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers";
export const TOPIC = `${ARM}/Microsoft.EventGrid/topics/shop`;
const GUID = "55555555-5555-4555-8555-555555555555";
const HOOK = "https://orders.example.com/api/events";

/** A change of a resource: `more` has further fields of `change`, `outside` those beside it. */
function changed(
  address: string,
  actions: readonly string[],
  before: Attributes | null,
  after: Attributes | null,
  more: Attributes = {},
  outside: Attributes = {},
) {
  const [, type, name] = /(\w+)\.(\w+)$/.exec(address) ?? [];
  const change = { actions, before, after, ...more };
  return { address, mode: "managed", type, name, change, ...outside };
}

const subscription = (name: string, settings: Attributes = {}) => ({
  id: `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`,
  ...{ name, scope: TOPIC, event_delivery_schema: "CloudEventSchemaV1_0" },
  included_event_types: ["shop.order.placed", "shop.order.cancelled"],
  webhook_endpoint: to({ url: HOOK }),
  retry_policy: retries(30, 1440),
  ...settings,
});
const to = (endpoint: Attributes) => [
  { max_events_per_batch: 1, active_directory_app_id_or_uri: "", ...endpoint },
];
const retries = (max_delivery_attempts: number, event_time_to_live: number) => [
  { max_delivery_attempts, event_time_to_live },
];
const own = (name: string) => `azurerm_eventgrid_event_subscription.${name}`;
/** An event subscription of a topic that changes. */
const updated = (name: string, was: Attributes, is: Attributes, more?: Attributes) => {
  const before = subscription(name, was);
  return changed(own(name), ["update"], before, { ...before, ...is }, more);
};
const kept = (address: string, side: Attributes) => changed(address, ["no-op"], side, side);

const shop = {
  ...{ id: TOPIC, name: "shop", input_schema: "CloudEventSchemaV1_0", local_auth_enabled: true },
  identity: [{ type: "SystemAssigned", principal_id: GUID }],
};
const topic = kept("azurerm_eventgrid_topic.shop", shop);
const endpoint = (host: string, key: string) => to({ url: `https://${host}?code=${key}` });
const header = (value: string) => [{ header_name: "x-key", type: "Static", value, secret: true }];
const sensitive = (marks: Attributes) => ({ before_sensitive: marks, after_sensitive: marks });
const subject = (subject_begins_with: string) => [{ subject_begins_with }];
const kind = (...values: string[]) => [{ string_in: [{ key: "kind", values }] }];

const QUEUE = `${ARM}/Microsoft.EventGrid/namespaces/shop/topics/orders`;
const queued = (name: string, eventTimeToLive = "P7D", filters: readonly object[] = []) => ({
  ...{ id: `${QUEUE}/eventSubscriptions/${name}`, name, parent_id: QUEUE },
  type: "Microsoft.EventGrid/namespaces/topics/eventSubscriptions@2025-02-15",
  body: {
    properties: {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      deliveryConfiguration: { deliveryMode: "Queue", queue: { eventTimeToLive } },
      filtersConfiguration: { includedEventTypes: ["shop.order.placed"], filters },
    },
  },
});
const work = `${ARM}/Microsoft.Storage/storageAccounts/work`;
const role = (role_definition_name: string, principal_id: string) => ({
  ...{ scope: work, role_definition_name, principal_id },
});
const drifted = { included_event_types: ["shop.order.placed"] };

const contents: Readonly<Record<string, Attributes>> = {
  types: {
    resource_changes: [
      topic,
      updated(
        "orders",
        {},
        {
          included_event_types: ["shop.order.placed", "shop.order.refunded"],
          advanced_filter: [{ number_greater_than_or_equals: [{ key: "data.total", value: 100 }] }],
        },
      ),
    ],
  },
  endpoint: {
    resource_changes: [
      topic,
      updated(
        "invoices",
        {
          webhook_endpoint: endpoint("orders.example.com/api/events", "old-secret"),
          storage_blob_dead_letter_destination: [
            { storage_account_id: work, storage_blob_container_name: "dead" },
          ],
          delivery_property: header("header-secret"),
        },
        {
          webhook_endpoint: endpoint("new.example.com/api/events", "new-secret"),
          storage_blob_dead_letter_destination: [],
          delivery_property: header("header-secret-2"),
        },
        sensitive({ delivery_property: [{ value: true }] }),
      ),
      updated(
        "hidden",
        {
          webhook_endpoint: endpoint("orders.example.com/api/events", "old-secret"),
          subject_filter: subject("customers/4711"),
        },
        {
          webhook_endpoint: endpoint("new.example.com/api/events", "new-secret"),
          subject_filter: subject("customers/4712"),
        },
        sensitive({
          webhook_endpoint: [{ url: true }],
          subject_filter: [{ subject_begins_with: true }],
        }),
      ),
    ],
  },
  form: {
    resource_changes: [
      topic,
      updated(
        "orders",
        {},
        {
          webhook_endpoint: to({
            ...{ url: HOOK, max_events_per_batch: 50, active_directory_app_id_or_uri: GUID },
          }),
          delivery_property: [{ header_name: "x-team", type: "Static", value: "shop" }],
        },
      ),
      updated(
        "tenant",
        {},
        {
          webhook_endpoint: to({ url: HOOK, active_directory_tenant_id: GUID }),
          delivery_identity: [{ type: "SystemAssigned" }],
        },
      ),
      kept("azurerm_eventgrid_topic.own", {
        ...{ ...shop, id: `${TOPIC}/own`, input_schema: "CustomEventSchema" },
      }),
      updated(
        "own",
        { scope: `${TOPIC}/own`, advanced_filter: kind("a") },
        { advanced_filter: kind("a", "b") },
      ),
    ],
  },
  retries: {
    resource_changes: [
      topic,
      updated(
        "orders",
        { expiration_time_utc: "" },
        { retry_policy: retries(30, 30), expiration_time_utc: "2030-01-01T00:00:00Z" },
      ),
      updated("parcels", { retry_policy: retries(5, 60) }, { retry_policy: retries(30, 1440) }),
    ],
  },
  replacement: {
    resource_changes: [
      topic,
      changed(
        own("parcels"),
        ["delete", "create"],
        subscription("parcels", { event_delivery_schema: "EventGridSchema" }),
        subscription("parcels"),
        { replace_paths: [["event_delivery_schema"]] },
      ),
      changed(
        own("invoices"),
        ["create", "delete"],
        subscription("invoices"),
        subscription("invoices2"),
        { replace_paths: [["name"]] },
      ),
    ],
  },
  topic: {
    resource_changes: [
      changed(
        "azurerm_eventgrid_topic.shop",
        ["delete", "create"],
        shop,
        { name: "shop2", input_schema: shop.input_schema },
        { after_unknown: { id: true }, replace_paths: [["name"]] },
      ),
      changed(
        own("orders"),
        ["delete", "create"],
        subscription("orders"),
        subscription("orders", { id: null, scope: null }),
        { after_unknown: { id: true, scope: true }, replace_paths: [["scope"]] },
      ),
      changed(
        "azurerm_eventgrid_domain.eu",
        ["update"],
        { id: `${work}/eu`, local_auth_enabled: true, public_network_access_enabled: true },
        { id: `${work}/eu`, local_auth_enabled: false, public_network_access_enabled: false },
      ),
      changed("azurerm_eventgrid_topic.old", ["delete"], { id: `${TOPIC}/old`, name: "old" }, null),
    ],
  },
  roles: {
    resource_changes: [
      topic,
      kept(
        own("work"),
        subscription("work", {
          webhook_endpoint: [],
          storage_queue_endpoint: [{ storage_account_id: work, queue_name: "orders" }],
          delivery_identity: [{ type: "SystemAssigned" }],
        }),
      ),
      kept(
        own("orders"),
        subscription("orders", {
          webhook_endpoint: to({ url: HOOK, active_directory_app_id_or_uri: GUID }),
        }),
      ),
      ...Object.entries({
        "azurerm_role_assignment.sender": role("Storage Queue Data Message Sender", GUID),
        "azurerm_role_assignment.reader": role("Reader", "66666666-6666-4666-8666-666666666666"),
        "azuread_app_role_assignment.event_grid": {
          principal_display_name: "Microsoft.EventGrid",
          principal_object_id: "77777777-7777-4777-8777-777777777777",
          resource_object_id: "88888888-8888-4888-8888-888888888888",
          app_role_id: "99999999-9999-4999-8999-999999999999",
          resource_display_name: "orders webhook",
        },
      }).map(([address, side]) => changed(address, ["delete"], side, null)),
    ],
  },
  namespace: {
    resource_changes: [
      changed(
        'module.shop["eu"].azapi_resource.work',
        ["update"],
        queued("work"),
        queued("work", "PT1H", [{ operatorType: "StringIn", key: "data.region", values: ["eu"] }]),
      ),
      changed(
        "azurerm_eventgrid_namespace_topic.orders",
        ["update"],
        { id: QUEUE, event_retention_in_days: 7 },
        { id: QUEUE, event_retention_in_days: 1 },
      ),
      changed(
        "azurerm_eventgrid_system_topic_event_subscription.blobs",
        ["delete"],
        {
          ...{ name: "blobs", system_topic: "files", resource_group_name: "shop" },
          included_event_types: ["Microsoft.Storage.BlobCreated"],
          webhook_endpoint: to({ url: "https://orders.example.com/blobs" }),
        },
        null,
      ),
      changed("azapi_resource.other", ["delete"], queued("other"), null),
      changed("azapi_update_resource.filter", ["create"], null, {
        type: "Microsoft.EventGrid/eventSubscriptions@2025-02-15",
      }),
    ],
  },
  later: {
    ...{ complete: false, errored: false },
    resource_changes: [
      topic,
      updated(
        "later",
        {},
        { included_event_types: [null, "shop.order.cancelled"] },
        { after_unknown: { included_event_types: [true, false] } },
      ),
      changed(
        "azurerm_eventgrid_partner_configuration.partners",
        ["update"],
        { default_maximum_expiration_time_in_days: 7 },
        { default_maximum_expiration_time_in_days: 3 },
      ),
    ],
  },
  kept: {
    resource_changes: [
      topic,
      changed(
        own("moved"),
        ["no-op"],
        subscription("moved"),
        subscription("moved"),
        {},
        {
          previous_address: own("old"),
        },
      ),
      updated("imported", {}, { labels: ["shop"] }, { importing: { id: "x" } }),
      updated("drifted", drifted, subscription("drifted")),
      changed(own("forgotten"), ["forget"], subscription("forgotten"), null),
      changed(own("twin"), ["delete"], subscription("twin"), null),
    ],
    resource_drift: [
      updated("drifted", {}, drifted),
      updated("imported", { labels: null }, { labels: [] }),
    ],
  },
};

/** The plans as Terraform prints them, by the names of their reports. */
export const plans: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(contents).map(([name, content]) => [
    name,
    JSON.stringify({ format_version: "1.2", ...content }, undefined, 2),
  ]),
);
export const planOf = (name: string) => plans[name] ?? "";
export const reportOf = (name: string) =>
  readFileSync(join(__dirname, "fixtures", `${name}.txt`), "utf8");
/** Runs the command on one of these plans. */
export const explain = (name: string, ...flags: string[]) =>
  command(["explain-plan", "-", ...flags], { input: planOf(name) });
