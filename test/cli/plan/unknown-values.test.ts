import fc from "fast-check";
import { expect, it } from "vitest";
import { explainPlan, planText, readPlan } from "../../../cli/src/plan/index.js";
import { draws } from "../../support/draws.js";
import { plans as reported } from "./fixtures.js";
import { planWith, same } from "./graph/changed-world.js";
import { ACCOUNT, type Attributes, type Change, NAMESPACE, planOf, TOPIC } from "./world.js";

interface PlannedResource {
  readonly address: string;
  readonly change: { actions: string[]; before: unknown; after: unknown; after_unknown?: unknown };
}

/** Changes that lose events, or may. */
const CHANGES: Readonly<Record<string, Change>> = {
  "azurerm_storage_account.plain": {
    network_rules: [{ default_action: "Deny", bypass: ["None"] }],
  },
  "azurerm_storage_account.kept": { shared_access_key_enabled: false },
  "azurerm_storage_account_network_rules.letters": { bypass: ["None"] },
  "azurerm_servicebus_namespace.bus": { public_network_access_enabled: false, sku: "Basic" },
  "azurerm_servicebus_queue.orders": { status: "Disabled", default_message_ttl: "PT1M" },
  "azurerm_eventhub.orders": { partition_count: 1, status: "Disabled" },
  "azurerm_eventhub_namespace.hubs": { local_authentication_enabled: false, capacity: 1 },
  "azurerm_eventgrid_topic.shop": { local_auth_enabled: false, identity: [] },
  "azurerm_eventgrid_namespace.shop": { capacity: 1, public_network_access: "Disabled" },
  "azurerm_role_assignment.queue": { role_definition_name: "Reader" },
  "azuread_application.orders": { identifier_uris: [], app_role: [] },
  "azuread_service_principal.orders": { account_enabled: false },
  "azurerm_container_app.app": { ingress: [{ external_enabled: false }] },
  "azurerm_linux_web_app.web": { enabled: false, site_config: [{ ip_restriction: [{}] }] },
  "azurerm_dns_a_record.web": { records: ["20.9.9.9"] },
  "azurerm_private_endpoint.topic": { private_service_connection: [] },
  "azurerm_eventgrid_event_subscription.app": {
    included_event_types: ["a"],
    subject_filter: [{ subject_begins_with: "a" }],
    retry_policy: [{ max_delivery_attempts: 1, event_time_to_live: 1 }],
    advanced_filter: [{ number_in_range: [{ key: "data.total", values: [[1, 2]] }] }],
    storage_blob_dead_letter_destination: [],
    expiration_time_utc: "2026-01-01T00:00:00Z",
  },
  "azurerm_eventgrid_event_subscription.web": {
    webhook_endpoint: [{ url: "https://web.example.net/", max_events_per_batch: 2 }],
    event_delivery_schema: "EventGridSchema",
    delivery_property: [{ header_name: "a", type: "Static", value: "b" }],
  },
};

const plans = [planOf(CHANGES), ...Object.values(reported)];

/** The path of every value inside of a value, and of what contains it. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ]);
}

/** Everything in the plans that can be something else. */
const places = plans.flatMap((plan, index) => {
  const { resource_changes: changes }: { resource_changes: PlannedResource[] } = JSON.parse(plan);
  return changes.flatMap(({ change }, resource) =>
    pathsIn(change.after).map((path) => ({ plan: index, resource, path })),
  );
});
type Place = (typeof places)[number];

/** The marks of Terraform for one unknown value: `{ "a": [false, { "b": true }] }`. */
function marksFor([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return true;
  const inner: unknown = Object(value)[name];
  if (!Array.isArray(value)) return { [name]: marksFor(rest, inner) };
  return value.map((_, index) => String(index) === name && marksFor(rest, inner));
}

function replaced([name, ...rest]: readonly string[], value: unknown, by: unknown): unknown {
  if (name === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[name] = replaced(rest, copy[name], by);
  return copy;
}

/** A plan in which one value is known only after the apply, or is another one. */
function withValue({ plan, resource, path }: Place, value: "unknown" | null | ""): string {
  const json: { resource_changes: PlannedResource[] } = JSON.parse(plans[plan] ?? "");
  const change = json.resource_changes[resource]?.change;
  if (change === undefined) throw new Error("the resource is in the plan");
  if (change.actions[0] === "no-op") change.actions = ["update"];
  if (value === "unknown") change.after_unknown = marksFor(path, change.after);
  change.after = replaced(path, change.after, value === "unknown" ? null : value);
  return JSON.stringify(json);
}

const explained = (plan: string) => explainPlan(readPlan(plan), [], []);

it("explains a plan in which any one value is unknown, null or empty", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.constantFrom("unknown", null, ""),
      async (place, value) => {
        expect(planText(await explained(withValue(place, value)))).toMatch(/events\.|lost\.\n$/);
      },
    ),
    { numRuns: draws(40) },
  );
});

type Explanation = Awaited<ReturnType<typeof explainPlan>>;

/** What is said of a resource, by check. */
function effectsAt({ resources }: Explanation, address: string): ReadonlySet<string> {
  const findings = resources.find((each) => each.address === address)?.findings ?? [];
  return new Set(findings.flatMap(({ check, effect }) => (effect === "none" ? [] : [check])));
}

/** A value that changes, alone, and what may be lost by that. */
const changed = Object.entries(CHANGES).flatMap(([address, change]) =>
  Object.entries(change).flatMap(([name, value]) =>
    pathsIn({ [name]: value }).map((path) => ({ address, change: { [name]: value }, path })),
  ),
);

/** A plan whose configuration names no value of a resource, as it leaves out those of dynamic blocks. */
const ofDynamicBlocks = (json: object, address: string) => ({
  ...json,
  configuration: { root_module: { resources: [{ address, expressions: {} }] } },
});

it("says of no value that nothing is lost because it is known only after the apply", async () => {
  expect(changed.length).toBeGreaterThan(50);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...changed), async ({ address, change, path }) => {
      const plan = planOf({ [address]: change });
      const json: { resource_changes: PlannedResource[] } = JSON.parse(plan);
      const found = json.resource_changes.find((one) => one.address === address);
      if (found === undefined) throw new Error("the resource is in the plan");
      const whole = effectsAt(await explained(plan), address);
      found.change.after_unknown = marksFor(path, found.change.after);
      found.change.after = replaced(path, found.change.after, null);
      const later = effectsAt(await explained(JSON.stringify(json)), address);
      expect([...later]).toEqual(expect.arrayContaining([...whole]));
      const [name = ""] = path;
      const value = change[name];
      const isBlock = Array.isArray(value) && value.every((one) => Object(one) === one);
      if (!isBlock || path.length > 1) return;
      const dynamic = await explained(JSON.stringify(ofDynamicBlocks(json, address)));
      expect([...effectsAt(dynamic, address)]).toEqual(expect.arrayContaining([...whole]));
    }),
    { numRuns: draws(25) },
  );
});

const container = { storage_account_id: ACCOUNT, storage_blob_container_name: "dead" };
const ofAzurerm = {
  ...{ id: `${TOPIC}/s`, event_delivery_schema: "CloudEventSchemaV1_0" },
  ...{ included_event_types: ["a", "b"], advanced_filtering_on_arrays_enabled: true },
  subject_filter: [{ subject_begins_with: "a", subject_ends_with: "b", case_sensitive: true }],
  advanced_filter: [{ number_in: [{ key: "data.a", values: [1] }] }],
  retry_policy: [{ max_delivery_attempts: 30, event_time_to_live: 1440 }],
  expiration_time_utc: "2030-01-01T00:00:00Z",
  delivery_property: [{ header_name: "a", type: "Static", value: "b" }],
  storage_blob_dead_letter_destination: [container],
};
const url = "https://web.example.net/x";
const toWebhook = {
  webhook_endpoint: [{ url, max_events_per_batch: 1, active_directory_app_id_or_uri: "api://a" }],
};
const deadLetterDestination = {
  endpointType: "StorageBlob",
  properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
};
const identified = { identity: { type: "SystemAssigned" }, deadLetterDestination };
const ofAzapi = (type: string, parent: string, properties: object) => ({
  ...{ id: `${parent}/s`, parent_id: parent, body: { properties } },
  type: `Microsoft.EventGrid/${type}@2025-02-15`,
});
/** Event subscriptions with all that an event depends on. */
const whole: readonly (readonly [address: string, Attributes])[] = [
  ["azurerm_eventgrid_event_subscription.s", { scope: TOPIC, ...ofAzurerm, ...toWebhook }],
  [
    "azurerm_eventgrid_event_subscription.s",
    {
      ...{ scope: TOPIC, ...ofAzurerm },
      storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "orders" }],
      delivery_identity: [{ type: "SystemAssigned" }],
      dead_letter_identity: [{ type: "UserAssigned", user_assigned_identity: `${TOPIC}/i` }],
    },
  ],
  [
    "azurerm_eventgrid_event_subscription.s",
    { scope: TOPIC, ...ofAzurerm, azure_function_endpoint: [{ function_id: `${TOPIC}/f/x` }] },
  ],
  [
    "azurerm_eventgrid_system_topic_event_subscription.s",
    { system_topic: "files", resource_group_name: "shop", ...ofAzurerm, ...toWebhook },
  ],
  [
    "azapi_resource.s",
    ofAzapi("eventSubscriptions", TOPIC, {
      destination: {
        endpointType: "WebHook",
        properties: { endpointUrl: url, azureActiveDirectoryApplicationIdOrUri: "api://a" },
      },
      deadLetterDestination,
      filter: { includedEventTypes: ["a", "b"], subjectBeginsWith: "x" },
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
    }),
  ],
  [
    "azapi_resource.s",
    ofAzapi("namespaces/topics/eventSubscriptions", `${NAMESPACE}/topics/orders`, {
      deliveryConfiguration: {
        deliveryMode: "Queue",
        queue: {
          ...{ receiveLockDurationInSeconds: 60, maxDeliveryCount: 10, eventTimeToLive: "P7D" },
          deadLetterDestinationWithResourceIdentity: identified,
        },
      },
      filtersConfiguration: { filters: [{ operatorType: "StringIn", key: "b", values: ["1"] }] },
    }),
  ],
];

it("says of every setting of an event subscription that it is known only after the apply", async () => {
  const silent: string[] = [];
  for (const [address, side] of whole) {
    // One subscription for each setting, in one plan.
    const paths = pathsIn(side);
    const addresses = paths.map((_, index) => `${address}${index}`);
    const sides = Object.fromEntries(addresses.map((each) => [each, same(side)]));
    const plan = JSON.parse(planWith(sides));
    for (const [index, path] of paths.entries()) {
      const { change } = plan.resource_changes.at(index - paths.length);
      change.actions = ["update"];
      change.after_unknown = marksFor(path, side);
      change.after = replaced(path, side, null);
    }
    const explanation = await explained(JSON.stringify(plan));
    for (const [index, path] of paths.entries()) {
      const found = effectsAt(explanation, addresses[index] ?? "");
      if (found.size === 0) silent.push(path.join("."));
    }
  }
  // Dead letters go to no other kind of destination.
  expect(silent.filter((path) => !/^(id|type)$|endpointType$/.test(path))).toEqual([]);
});
