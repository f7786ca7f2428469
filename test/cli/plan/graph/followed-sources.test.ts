import { describe, expect, it } from "vitest";
import { effects } from "../world.js";
import { GROUP, of, planWith, type Sets, same } from "./changed-world.js";

const SUBSCRIPTION_OF_WEB = "azurerm_eventgrid_event_subscription.web";
const HUBS = `${GROUP}/providers/Microsoft.EventHub/namespaces/captured`;
const SYSTEM_TOPIC = `${GROUP}/providers/Microsoft.EventGrid/systemTopics/captured`;
const systemTopic = { id: SYSTEM_TOPIC, source_resource_id: HUBS };
const azapiSystemTopic = (source: string) => ({
  id: SYSTEM_TOPIC,
  type: "Microsoft.EventGrid/systemTopics@2025-02-15",
  body: { properties: { source, topicType: "Microsoft.EventHub.Namespaces" } },
});
const captured: Sets = {
  "azurerm_eventhub_namespace.c": same({ id: HUBS, sku: "Standard" }),
  "azurerm_eventgrid_system_topic.c": same(systemTopic),
};
/** The deployment with a subscription to the events of these hubs. */
const eventsOf = (scope: string): Sets => ({
  ...captured,
  "azurerm_eventgrid_event_subscription.files": same({
    ...of(SUBSCRIPTION_OF_WEB),
    id: `${scope}/x`,
    scope,
  }),
});
const capturing = (enabled: boolean) => ({
  id: `${HUBS}/eventhubs/c`,
  namespace_id: HUBS,
  capture_description: [{ enabled }],
});

const LAKE = `${GROUP}/providers/Microsoft.Storage/storageAccounts/lake`;
const lake: Sets = { "azurerm_storage_account.lake": same({ id: LAKE }) };
/** The deployment with a subscription to the blobs of an account, of which a container is destroyed. */
const blobs = (subject_begins_with: string | null, name = "in"): Sets => ({
  ...lake,
  "azurerm_eventgrid_event_subscription.blobs": same({
    ...of(SUBSCRIPTION_OF_WEB),
    id: `${LAKE}/x`,
    scope: LAKE,
    subject_filter: [{ subject_begins_with }],
  }),
  "azurerm_storage_container.c": [
    { id: `${LAKE}/blobServices/default/containers/${name}`, name },
    null,
  ],
});
const IN = "/blobServices/default/containers/in";

const closing = { "azurerm_eventhub.c": [capturing(true), capturing(false)] } as const;
const cuts: Readonly<Record<string, Sets>> = {
  ...Object.fromEntries(
    [null, IN, `${IN}/2026`, `${IN}/`.toUpperCase(), "blobs"].map((begin) => [
      `the container of blobs that begin with ${begin} is destroyed`,
      blobs(begin),
    ]),
  ),
  "the account of Capture is destroyed": {
    ...eventsOf(HUBS),
    "azurerm_eventhub.c": same({
      ...capturing(true),
      capture_description: [{ enabled: true, destination: [{ storage_account_id: LAKE }] }],
    }),
    "azurerm_storage_account.lake": [{ id: LAKE }, null],
  },
  "Capture is switched off, whose events a namespace has": { ...eventsOf(HUBS), ...closing },
  "Capture is switched off, whose events a system topic has": {
    ...eventsOf(SYSTEM_TOPIC),
    ...closing,
  },
  "a hub with Capture is disabled": {
    ...eventsOf(HUBS),
    "azurerm_eventhub.c": [
      { ...capturing(true), status: "Active" },
      { ...capturing(true), status: "Disabled" },
    ],
  },
  "a system topic gets another source": {
    ...eventsOf(SYSTEM_TOPIC),
    "azurerm_eventgrid_system_topic.c": [
      systemTopic,
      { ...systemTopic, source_resource_id: `${HUBS}2` },
    ],
  },
  "a system topic of azapi gets another source": {
    ...eventsOf(SYSTEM_TOPIC),
    "azurerm_eventgrid_system_topic.c": [null, null],
    "azapi_resource.c": [azapiSystemTopic(HUBS), azapiSystemTopic(`${HUBS}2`)],
  },
};

const harmless: Readonly<Record<string, Sets>> = {
  ...Object.fromEntries(
    [`${IN}bound`, `${IN}bound/`].map((begin) => [
      `another container than that of blobs that begin with ${begin} is destroyed`,
      blobs(begin),
    ]),
  ),
  "a source gets another size": {
    ...eventsOf(HUBS),
    "azurerm_eventhub_namespace.c": [
      { id: HUBS, sku: "Standard", capacity: 1 },
      { id: HUBS, sku: "Premium", capacity: 2 },
    ],
  },
  "a hub with Capture writes its files at other intervals": {
    ...eventsOf(HUBS),
    "azurerm_eventhub.c": [
      capturing(true),
      { ...capturing(true), capture_description: [{ enabled: true, interval_in_seconds: 60 }] },
    ],
  },
  "a hub with Capture gets partitions": {
    ...eventsOf(HUBS),
    "azurerm_eventhub.c": [capturing(true), { ...capturing(true), partition_count: 4 }],
  },
};

describe("the source of a subscription", () => {
  it.each(Object.entries(cuts))("is followed: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).not.toEqual([]);
  });

  /** What is said when something of a source is destroyed. */
  const destroyed = (scope: string, type: string, before: Readonly<Record<string, unknown>>) =>
    effects(planWith({ ...eventsOf(scope), ...lake, [`${type}.x`]: [before, null] }));

  it("raises its events without what configures it", async () => {
    const parts = {
      azurerm_storage_account_network_rules: LAKE,
      azurerm_storage_account_customer_managed_key: LAKE,
      azurerm_storage_account_local_user: `${LAKE}/localUsers/a`,
      azurerm_storage_encryption_scope: `${LAKE}/encryptionScopes/a`,
      azurerm_storage_share: `${LAKE}/fileServices/default/shares/a`,
      azurerm_management_lock: `${LAKE}/providers/Microsoft.Authorization/locks/a`,
      azurerm_security_center_storage_defender: `${LAKE}/providers/Microsoft.Security/defender/a`,
    };
    for (const [type, id] of Object.entries(parts)) {
      expect(await destroyed(LAKE, type, { id, storage_account_id: LAKE }), type).toEqual([]);
    }
    const system = { ...systemTopic, source_resource_id: LAKE };
    const plan = planWith({
      ...eventsOf(SYSTEM_TOPIC),
      ...lake,
      "azurerm_eventgrid_system_topic.c": same(system),
      "azurerm_private_endpoint.x": [
        {
          id: `${GROUP}/providers/Microsoft.Network/privateEndpoints/x`,
          private_service_connection: [{ private_connection_resource_id: LAKE }],
        },
        null,
      ],
    });
    expect(await effects(plan)).toEqual([]);
  });

  it("has policies with events of their own", async () => {
    for (const name of ["management", "blob_inventory"]) {
      const policy = { id: `${LAKE}/${name}Policies/default`, storage_account_id: LAKE };
      const found = await destroyed(LAKE, `azurerm_storage_${name}_policy`, policy);
      expect(found).toEqual([expect.stringMatching(/^unknown /)]);
    }
  });

  it("has containers that azurerm calls file systems", async () => {
    const filesystem = {
      ...{ id: "https://lake.dfs.core.windows.net/in", name: "in", storage_account_id: LAKE },
    };
    const type = "azurerm_storage_data_lake_gen2_filesystem";
    expect(await destroyed(LAKE, type, filesystem)).toEqual([
      expect.stringContaining("it is not known whether events are of its blobs, and end with it"),
    ]);
  });

  it("may need what else is in it, and loses the events of its hubs", async () => {
    const id = `${HUBS}/somethings/new`;
    expect(await destroyed(SYSTEM_TOPIC, "azurerm_eventhub_something", { id })).toEqual([
      expect.stringContaining("it is not known whether its events end"),
    ]);
    expect(await destroyed(SYSTEM_TOPIC, "azurerm_eventhub", capturing(true))).toContainEqual(
      expect.stringMatching(/^lost .*its events end/),
    );
  });

  it.each(Object.entries(harmless))("raises its events all the same: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).toEqual([]);
  });
});
