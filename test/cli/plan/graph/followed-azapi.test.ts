import { describe, expect, it } from "vitest";
import { ACCOUNT, effects, SYSTEM, TOPIC } from "../world.js";
import {
  changed,
  GROUP,
  LATER,
  of,
  planWith,
  type Sets,
  type Sides,
  same,
} from "./changed-world.js";
import { BUS, disabled, disabledQueue, endpoint, queues, update } from "./rights.js";

const SUBSCRIPTION_OF_BUS = "azurerm_eventgrid_event_subscription.bus";
const RELAY = `${GROUP}/providers/Microsoft.Relay/namespaces/r`;
const WEB = String(of("azurerm_linux_web_app.web").id);
const azapiTopic = (more: object) => ({
  ...{ id: TOPIC, type: "Microsoft.EventGrid/topics@2025-02-15" },
  ...more,
});

const cuts: Readonly<Record<string, Sets>> = {
  "azapi closes the relay of a destination": {
    "azurerm_relay_namespace.r": same({ id: RELAY }),
    "azurerm_eventgrid_event_subscription.r": same({
      ...of(SUBSCRIPTION_OF_BUS),
      service_bus_queue_endpoint_id: null,
      hybrid_connection_endpoint_id: `${RELAY}/hybridConnections/orders`,
    }),
    ...update("Microsoft.Relay/namespaces", RELAY, {
      properties: { publicNetworkAccess: "Disabled" },
    }),
  },
  "azapi puts a perimeter around a destination": {
    "azapi_resource.a": [
      null,
      {
        type: "Microsoft.Network/networkSecurityPerimeters/resourceAssociations@2024-07-01",
        body: { properties: { accessMode: "Enforced", privateLinkResource: { id: ACCOUNT } } },
      },
    ],
  },
  "azapi closes the app of a webhook": update("Microsoft.Web/sites", WEB, {
    properties: { publicNetworkAccess: "Disabled" },
  }),
  "azapi stops the app of a webhook": {
    "azapi_resource_action.s": [
      null,
      { type: "Microsoft.Web/sites@2024-04-01", resource_id: WEB, action: "stop" },
    ],
  },
  ...Object.fromEntries(
    ["ServiceBus", "EventHub"].map((service): [string, Sets] => {
      const name = service === "EventHub" ? "hub" : "bus";
      const { service_bus_queue_endpoint_id: queue, eventhub_id: hub = queue } = of(
        `azurerm_eventgrid_event_subscription.${name}`,
      );
      const rules = {
        parent_id: String(hub).split("/").slice(0, -2).join("/"),
        type: `Microsoft.${service}/namespaces/networkRuleSets@2024-01-01`,
        body: { properties: { defaultAction: "Deny", trustedServiceAccessEnabled: false } },
      };
      return [`azapi writes the rule set of ${service}`, { "azapi_resource.n": [null, rules] }];
    }),
  ),
  "a topic of azapi loses the identity in its body": {
    "azurerm_eventgrid_topic.shop": [null, null],
    "azapi_resource.topic": [
      azapiTopic({ body: { identity: { type: "SystemAssigned" } } }),
      azapiTopic({ body: { identity: { type: "None" } } }),
    ],
  },
  "a topic of azapi loses the identity in its block": {
    "azurerm_eventgrid_topic.shop": [null, null],
    "azapi_resource.topic": [
      azapiTopic({ identity: [{ type: "SystemAssigned", principal_id: SYSTEM }] }),
      azapiTopic({ identity: [] }),
    ],
  },
  "azapi disables the queue by its parent": {
    "azapi_update_resource.u": [
      null,
      { type: `${queues}@2024-01-01`, parent_id: BUS, name: "orders", body: disabled },
    ],
  },
  "a queue of azapi is disabled, whose body is JSON in a text": {
    "azurerm_servicebus_queue.orders": [null, null],
    "azapi_resource.q": [
      disabledQueue(JSON.stringify({ properties: { status: "Active" } })),
      disabledQueue(JSON.stringify(disabled)),
    ],
  },
  "azapi removes what a private endpoint leads to": update(
    "Microsoft.Network/privateEndpoints",
    endpoint,
    {
      properties: { privateLinkServiceConnections: [] },
    },
  ),
};

const harmless: Readonly<Record<string, Sets>> = {
  "azapi sets tags of a destination, and nothing else": {
    "azapi_update_resource.u": [
      null,
      {
        ...{ type: "Microsoft.Storage/storageAccounts@2024-01-01", resource_id: ACCOUNT },
        ...{ body: { tags: { a: "b" } }, sensitive_body: null, list_unique_id_property: null },
      },
    ],
  },
  "azapi disables another queue": {
    "azapi_update_resource.u": [
      null,
      { type: `${queues}@2024-01-01`, parent_id: BUS, name: "other", body: disabled },
    ],
  },
  "azapi no longer writes a part of an account": {
    "azapi_update_resource.u": [
      { id: ACCOUNT, resource_id: ACCOUNT, type: "Microsoft.Storage/storageAccounts@2024-01-01" },
      null,
    ],
  },
};

it("lets a queue say something else of itself", async () => {
  const user = { userMetadata: "a", user_metadata: "a" };
  expect(await effects(planWith(changed("azurerm_servicebus_queue.orders", user)))).toEqual([]);
});

describe("what azapi adds to a namespace for clients of MQTT", () => {
  const ns = `${GROUP}/providers/Microsoft.EventGrid/namespaces/ns`;
  const part = (kind: string, body: object) => ({
    ...{ id: `${ns}/${kind}/x`, parent_id: ns, name: "x", body: { properties: body } },
    type: `Microsoft.EventGrid/namespaces/${kind}@2025-02-15`,
  });
  const space = (...topicTemplates: string[]) => part("topicSpaces", { topicTemplates });
  const found = (sides: Sides) => effects(planWith({ "azapi_resource.x": sides }));

  it("is silent, unlike what it changes or takes away", async () => {
    for (const kind of ["clients", "clientGroups", "permissionBindings", "caCertificates"]) {
      expect(await found([null, part(kind, {})])).toEqual([]);
      expect(await found([part(kind, { a: 1 }), part(kind, { a: 2 })])).toHaveLength(1);
      expect(await found([part(kind, {}), null])).toHaveLength(1);
    }
    expect(await found([space("a"), space("b", "a")])).toEqual([]);
    expect(await found([space("a", "b"), space("b", "c", "d")])).toHaveLength(1);
  });
});

const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/eg`;
const PRINCIPAL = "aaaaaaaa-0000-4000-8000-0000000000ee";
const used = { type: "UserAssigned", identity_ids: [IDENTITY] };
const [QUEUE, ROLE] = [
  "azurerm_eventgrid_event_subscription.queue",
  "azurerm_role_assignment.queue",
];
const identity = (more: object) => ({
  ...{ id: IDENTITY, type: "Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31" },
  ...more,
});
/** An identity of azapi delivers to the queue, and has the role for that by its object ID. */
const delivering = (more: object): Sets => ({
  "azurerm_eventgrid_topic.shop": same({ ...of("azurerm_eventgrid_topic.shop"), identity: [used] }),
  [QUEUE]: same({
    ...of(QUEUE),
    delivery_identity: [{ type: "UserAssigned", user_assigned_identity: IDENTITY }],
  }),
  "azapi_resource.eg": same(identity(more)),
  [ROLE]: [{ ...of(ROLE), principal_id: PRINCIPAL }, null],
});
const properties = { principalId: PRINCIPAL };
const named = { response_export_values: { of: "properties.principalId" } };
const shows: Readonly<Record<string, readonly [object, "lost" | "unknown"]>> = {
  "in its output": [{ output: { properties } }, "lost"],
  "in an output of version 1": [{ output: JSON.stringify({ properties }) }, "lost"],
  "under a name of one's own": [{ ...named, output: { of: PRINCIPAL } }, "lost"],
  nowhere: [{ output: {} }, "unknown"],
};

describe("the role of an identity that azapi made", () => {
  it.each(Object.entries(shows))("counts, whose object ID is %s", async (_, [more, effect]) => {
    const what = "the identity that writes events or dead letters loses its role";
    expect(await effects(planWith(delivering(more)))).toEqual([
      `${effect} role ${ROLE}: ${what} (needed by queue)`,
    ]);
  });

  it("stays if azapi updates the identity, whose output is known later then", async () => {
    const { [ROLE]: [role] = [], ...others } = delivering({ output: { properties } });
    const sides = [{ output: { properties } }, { output: LATER, tags: { a: "b" } }] as const;
    const updated: Sets = {
      "azapi_resource.eg": [identity(sides[0]), identity(sides[1])],
      [ROLE]: same(role ?? {}),
    };
    expect(await effects(planWith({ ...others, ...updated }))).toEqual([]);
  });
});

describe("what azapi writes", () => {
  it.each(Object.entries(cuts))("is followed: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).not.toEqual([]);
  });

  it.each(Object.entries(harmless))("is not all: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).toEqual([]);
  });
});
