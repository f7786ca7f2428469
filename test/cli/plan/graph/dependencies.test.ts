import { describe, expect, it } from "vitest";
import { alikeSubscriptions, dependenciesOf, Graph } from "../../../../cli/src/plan/graph/index.js";
import { readPlan } from "../../../../cli/src/plan/index.js";
import { ACCOUNT, type Attributes, effects, planOf, SYSTEM, TOPIC } from "../world.js";
import {
  changed,
  GROUP,
  of,
  planWith,
  type Sets,
  type Sides,
  same,
  setsPlan,
  subscriptionsOf,
} from "./changed-world.js";

const TWIN = "azurerm_eventgrid_event_subscription.twin";
const DEAD = "azurerm_role_assignment.dead";

/** The effects, without their messages. */
const verdicts = async (changes: Parameters<typeof planOf>[0]) =>
  (await effects(planOf(changes))).map((text) => text.replace(/:.*/, ""));

function dependenciesIn(sets: Sets, configuration?: object) {
  const plan = { ...JSON.parse(setsPlan(sets)), configuration };
  const { changes } = readPlan(JSON.stringify(plan));
  const subscriptions = subscriptionsOf(changes);
  const groups = alikeSubscriptions(subscriptions);
  return dependenciesOf(new Graph(changes), subscriptions, groups);
}

/** What is followed in a plan of these resources: use, check and place of each, and by whom. */
function followed(sets: Sets, configuration?: object): string[] {
  const { found } = dependenciesIn(sets, configuration);
  return [...found].flatMap(([{ address }, all]) =>
    all.map(({ use, check, place, by }) => `${address}: ${use} ${check} ${place} ${by.join()}`),
  );
}

it("follows all that a subscription needs, what that is in, and what configures these", () => {
  const user = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i`;
  const own = { type: "UserAssigned", user_assigned_identity: user };
  const subscription = {
    ...{ id: `${TOPIC}/s`, name: "s", scope: TOPIC, delivery_identity: [own] },
    storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "q" }],
    storage_blob_dead_letter_destination: [
      { storage_account_id: ACCOUNT, storage_blob_container_name: "dead" },
    ],
    dead_letter_identity: [{ ...own, user_assigned_identity: `${user}2` }],
  };
  const hook = {
    ...{ id: `${TOPIC}/w`, name: "w", scope: TOPIC },
    webhook_endpoint: [{ url: "https://a.example/", active_directory_app_id_or_uri: "api://a" }],
  };
  const link = { private_service_connection: [{ private_connection_resource_id: TOPIC }] };
  const zone = (name: string) => ({
    id: `${GROUP}/providers/Microsoft.Network/privateDnsZones/${name}`,
    name,
  });
  const lock = { id: `${GROUP}/providers/Microsoft.Authorization/locks/l`, scope: GROUP };
  expect(
    followed({
      "azurerm_eventgrid_event_subscription.s": same(subscription),
      "azurerm_eventgrid_event_subscription.w": same(hook),
      "azurerm_resource_group.g": same({ id: GROUP }),
      "azurerm_management_lock.g": same(lock),
      "azurerm_management_lock.other": same({ id: `${ACCOUNT}2/locks/l`, scope: `${ACCOUNT}2` }),
      "azurerm_eventgrid_topic.t": same({ id: TOPIC }),
      "azurerm_storage_account.a": same({ id: ACCOUNT }),
      "azurerm_storage_account.other": same({ id: `${ACCOUNT}2` }),
      "azurerm_storage_queue.q": same({ id: `${ACCOUNT}/queueServices/default/queues/q` }),
      "azurerm_storage_queue.p": same({ id: `${ACCOUNT}/queueServices/default/queues/p` }),
      "azurerm_storage_management_policy.a": same({ id: "m", storage_account_id: ACCOUNT }),
      "azurerm_user_assigned_identity.i": same({ id: user }),
      "azurerm_user_assigned_identity.j": same({ id: `${user}2` }),
      "azurerm_private_endpoint.t": same({ id: `${GROUP}/providers/x/e/t`, ...link }),
      "azurerm_private_dns_zone.t": same(zone("privatelink.eventgrid.azure.net")),
      "azurerm_private_dns_zone.eu": same(zone("privatelink.ts.eventgrid.azure.net")),
      "azurerm_private_dns_zone.b": same(zone("privatelink.blob.core.windows.net")),
      "azurerm_private_dns_zone.x": same(zone("my-privatelink.eventgrid.azure.net")),
      "azurerm_private_dns_zone.y": same(zone("privatelink.eventgrid.azure.")),
      "azuread_application.a": same({ id: "/applications/1", identifier_uris: ["api://a"] }),
      "azuread_application.b": same({ id: "/applications/2", identifier_uris: ["api://b"] }),
    }),
  ).toMatchInlineSnapshot(`
    [
      "azurerm_eventgrid_topic.t: source publishers itself azurerm_eventgrid_topic.t",
      "azurerm_eventgrid_topic.t: source destroyed itself s",
      "azurerm_eventgrid_topic.t: source destroyed itself w",
      "azurerm_private_endpoint.t: access publishers behind azurerm_eventgrid_topic.t",
      "azurerm_private_dns_zone.t: access publishers behind azurerm_eventgrid_topic.t",
      "azurerm_private_dns_zone.eu: access publishers behind azurerm_eventgrid_topic.t",
      "azurerm_resource_group.g: source destroyed itself s",
      "azurerm_resource_group.g: target destination itself s",
      "azurerm_resource_group.g: target dead-letters itself s",
      "azurerm_resource_group.g: identity identity itself s",
      "azurerm_resource_group.g: source destroyed itself w",
      "azurerm_management_lock.g: source destroyed below s",
      "azurerm_management_lock.g: target destination below s",
      "azurerm_management_lock.g: target dead-letters below s",
      "azurerm_management_lock.g: identity identity below s",
      "azurerm_management_lock.g: source destroyed below w",
      "azurerm_storage_queue.q: target destination itself s",
      "azurerm_storage_queue.q: target dead-letters below s",
      "azurerm_storage_queue.p: target destination below s",
      "azurerm_storage_queue.p: target dead-letters below s",
      "azurerm_storage_account.a: target destination itself s",
      "azurerm_storage_account.a: target dead-letters itself s",
      "azurerm_storage_management_policy.a: target destination below s",
      "azurerm_storage_management_policy.a: target dead-letters below s",
      "azurerm_user_assigned_identity.i: identity identity itself s",
      "azurerm_user_assigned_identity.j: identity identity itself s",
      "azuread_application.a: application identity itself w",
    ]
  `);
});

it("follows the locks of azapi, and the names of what another plan has", () => {
  const lock = {
    ...{ id: `${GROUP}/providers/Microsoft.Authorization/locks/l`, parent_id: GROUP },
    type: "Microsoft.Authorization/locks@2020-05-01",
  };
  const to = {
    ...{ id: `${TOPIC}/s`, name: "s", scope: TOPIC },
    storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "q" }],
  };
  const sets = {
    "azurerm_eventgrid_event_subscription.s": same(to),
    "azapi_resource.lock": same(lock),
  };
  expect(followed({ ...sets, "azurerm_resource_group.g": same({ id: GROUP }) })).toContain(
    "azapi_resource.lock: source destroyed below s",
  );
  const { names } = dependenciesIn(sets);
  expect([...names]).toContain(`${ACCOUNT}/queueServices/default/queues/q`.toLowerCase());
});

it("does not follow what the URL of a webhook comes from", () => {
  const [s, account] = ["azurerm_eventgrid_event_subscription.s", "azurerm_storage_account.a"];
  const url = "https://a.example/";
  const hook = { id: `${TOPIC}/s`, name: "s", scope: TOPIC, webhook_endpoint: [{ url }] };
  const expressions = { webhook_endpoint: [{ url: { references: [`${account}.id`, account] } }] };
  const root_module = { resources: [{ address: s, expressions }, { address: account }] };
  const sets = { [s]: same(hook), [account]: same({ id: ACCOUNT }) };
  expect(followed(sets, { root_module })).toEqual([]);
});

const byUser = [{ type: "UserAssigned", user_assigned_identity: "/i" }];

it.each<[needed: string, address: string, settings: Attributes]>([
  ["source destroyed", "azurerm_eventgrid_topic.x", { scope: `${TOPIC}2` }],
  [
    "target destination",
    "azurerm_storage_account.x",
    { storage_queue_endpoint: [{ storage_account_id: `${ACCOUNT}2`, queue_name: "q" }] },
  ],
  ["target dead-letters", "azurerm_storage_account.x", {}],
  ["identity identity", "azurerm_user_assigned_identity.x", { delivery_identity: byUser }],
  ["identity identity", "azurerm_user_assigned_identity.x", { dead_letter_identity: byUser }],
  [
    "application identity",
    "azuread_application.x",
    {
      webhook_endpoint: [{ url: "https://a.example/", active_directory_app_id_or_uri: "api://a" }],
    },
  ],
])(
  "finds the %s by the reference to %s, where IDs lead nowhere: %o",
  (needed, address, settings) => {
    const s = "azurerm_eventgrid_event_subscription.s";
    const container = { storage_account_id: `${ACCOUNT}3`, storage_blob_container_name: "dead" };
    const stored = { storage_blob_dead_letter_destination: [container] };
    const side = { id: `${TOPIC}/s`, name: "s", scope: TOPIC, ...stored, ...settings };
    const [attribute] = Object.keys({ ...settings, ...stored });
    const expressions = { [String(attribute)]: { references: [`${address}.id`, address] } };
    const root_module = { resources: [{ address: s, expressions }, { address }] };
    const found = followed({ [s]: same(side), [address]: same({ id: "/x" }) }, { root_module });
    expect(found).toContain(`${address}: ${needed} behind s`);
  },
);

it("follows the clients of a closed topic over six references, with all that they need", () => {
  const endpoint = "https://shop.westeurope-1.eventgrid.azure.net/api/events";
  const thing = (index: number) => `${GROUP}/providers/x/things/number${index}`;
  const user = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i`;
  const things = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => {
    const side = { id: thing(index), next_id: thing(index + 1), user_id: index === 1 && user };
    return [`azurerm_thing.n${index}`, same(side)] as const;
  });
  const client = { id: `${GROUP}/providers/Microsoft.App/containerApps/c`, endpoint };
  const of = "publishers behind azurerm_eventgrid_topic.t";
  const found = followed({
    "azurerm_eventgrid_topic.t": same({
      id: TOPIC,
      endpoint,
      public_network_access_enabled: false,
    }),
    "azurerm_container_app.c": same({ ...client, environment_id: thing(1) }),
    "azurerm_user_assigned_identity.i": same({ id: user }),
    ...Object.fromEntries(things),
  });
  expect(found.filter((text) => text.endsWith(of))).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((index) => `azurerm_thing.n${index}: access ${of}`),
    `azurerm_user_assigned_identity.i: access ${of}`,
  ]);
});

describe("a resource that two subscriptions need", () => {
  const dead = of("azurerm_role_assignment.dead");
  const letters = (account?: string) => ({
    storage_blob_dead_letter_destination: account
      ? [{ storage_account_id: account, storage_blob_container_name: "dead" }]
      : [],
  });
  const begin = "/blobServices/default/containers/other/";
  const place = of("azurerm_eventgrid_event_subscription.bus").service_bus_queue_endpoint_id;
  const other = String(place).replace("orders", "other");
  const [webhook] = [of("azurerm_eventgrid_event_subscription.app").webhook_endpoint].flat();
  const audience = [{ ...Object(webhook), active_directory_app_id_or_uri: "no" }];

  it.each<[own: string, differs: string, before: Attributes, after: Attributes, sets: Sets]>([
    ["app", "the place of its dead letters", {}, letters(`${ACCOUNT}0`), { [DEAD]: [dead, null] }],
    ["app", "dead letters only afterwards", letters(), letters(ACCOUNT), { [DEAD]: [dead, null] }],
    [
      "bus",
      "another queue",
      {},
      { service_bus_queue_endpoint_id: other },
      {
        ...changed("azurerm_servicebus_queue.orders", { status: "Disabled" }),
      },
    ],
    [
      "app",
      "another application",
      {},
      { webhook_endpoint: audience },
      {
        ...changed("azuread_service_principal.orders", { account_enabled: false }),
      },
    ],
    [
      "of-files",
      "other blobs",
      {},
      { subject_filter: [{ subject_begins_with: begin }] },
      {
        "azurerm_storage_container.files": [of("azurerm_storage_container.files"), null],
      },
    ],
  ])("names %s, and another one unless it has %s", async (own, _, before, after, sets) => {
    const side = { ...of(`azurerm_eventgrid_event_subscription.${own}`), name: "twin" };
    const needing = async (twin: Sides) => {
      const found = await effects(planWith({ ...sets, [TWIN]: twin }));
      return [...new Set(found.flatMap((text) => /needed by (.*)\)$/.exec(text)?.[1] ?? []))];
    };
    expect((await needing([side, side])).join()).toMatch(`${own}, twin`);
    for (const text of await needing([
      { ...side, ...before },
      { ...side, ...before, ...after },
    ])) {
      expect(text).not.toMatch(/twin/);
    }
  });
});

describe("a role", () => {
  const address = "azurerm_role_assignment.queue";
  it("is read from azapi, too", async () => {
    const sender = "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a";
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
    const sets: Sets = { [address]: [null, null], "azapi_resource.role": [before, null] };
    expect(await effects(planWith(sets))).toEqual([
      expect.stringMatching(/^lost role .*loses its role/),
    ]);
  });
});

describe("other changes", () => {
  it("are unknown at what a delivery depends on, and name the attribute", async () => {
    const changes = {
      "azurerm_storage_account.letters": { is_hns_enabled: true },
      "azurerm_service_plan.web": {},
    };
    expect(await effects(planOf(changes))).toEqual([
      expect.stringMatching(
        /^unknown dead-letters azurerm_storage_account.letters: is_hns_enabled changes: what that does to deliveries is not known to this command \(needed by app/,
      ),
      expect.stringMatching(/^unknown destination .*is_hns_enabled.*\(needed by queue\)/),
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

  it("are of retries where a topic keeps its events for a shorter time", async () => {
    const topic = "azurerm_eventgrid_namespace_topic.orders";
    expect(await verdicts({ [topic]: { event_retention_in_days: 1 } })).toEqual([
      `lost retries ${topic}`,
    ]);
  });

  it("are found by the references of a subscription whose IDs lead nowhere", async () => {
    const address = "azurerm_storage_account.moved";
    const expressions = {
      storage_blob_dead_letter_destination: [{ storage_account_id: { references: [address] } }],
    };
    const root_module = { resources: [{ address: TWIN, expressions }, { address }] };
    const found = (storage_account_id: string) =>
      effects(
        planWith(
          {
            [TWIN]: same({
              ...of("azurerm_eventgrid_event_subscription.app"),
              id: `${TOPIC}/twin`,
              storage_blob_dead_letter_destination: [
                { storage_account_id, storage_blob_container_name: "dead" },
              ],
            }),
            [address]: [{ id: `${ACCOUNT}1` }, { id: `${ACCOUNT}1`, is_hns_enabled: true }],
          },
          { configuration: { root_module } },
        ),
      );
    expect(await found(`${ACCOUNT}2`)).toEqual([
      expect.stringMatching(/^unknown dead-letters .*is_hns_enabled changes/),
    ]);
    expect(await found(ACCOUNT)).toEqual([]);
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
    const partner = "azurerm_eventgrid_partner_configuration.p";
    const tagged = { [partner]: [{ id: "/p" }, { id: "/p", tags: { a: "b" } }] } as const;
    expect(await effects(planWith(tagged))).toEqual([]);
  });
});
