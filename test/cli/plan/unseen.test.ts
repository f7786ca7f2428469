import { describe, expect, it } from "vitest";
import {
  changed,
  effectsWith,
  GROUP,
  LATER,
  of,
  planWith,
  type Sets,
  same,
} from "./graph/changed-world.js";
import { ACCOUNT, type Attributes, EVENT_GRID, effects, TOPIC } from "./world.js";

/** What plans show only in part: values, resources of other plans, what is not destroyed. */

const APP = "azurerm_eventgrid_event_subscription.app";
const webhook = { endpointType: "WebHook", properties: { endpointUrl: "https://a.example.com/" } };
const written = (properties: object, more: object = {}) => ({
  ...{ id: `${TOPIC}/s`, name: "s", parent_id: TOPIC, body: { properties } },
  type: "Microsoft.EventGrid/eventSubscriptions@2025-02-15",
  ...more,
});
const AZAPI = "azapi_resource.s";
const stays = (side: Attributes): Sets => ({ [AZAPI]: same(side) });
const updated = () => ({ actions: ["update"] });

describe("values that a plan does not show", () => {
  it("are the elements of the types, all or some", async () => {
    for (const unknown of [[true], [false, true]]) {
      const azurerm = await effectsWith(changed(APP, {}), APP, ({ after }) => ({
        actions: ["update"],
        after: {
          ...after,
          included_event_types: ["shop.order.placed", null].slice(-unknown.length),
        },
        after_unknown: { included_event_types: unknown },
      }));
      expect(azurerm).toEqual([expect.stringMatching(/^unknown types .*known only after/)]);
    }
    const filter = { includedEventTypes: ["a"] };
    const azapi = await effectsWith(
      stays(written({ destination: webhook, filter })),
      AZAPI,
      () => ({
        actions: ["update"],
        after: written({ destination: webhook, filter: { includedEventTypes: [null] } }),
        after_unknown: { body: { properties: { filter: { includedEventTypes: [true] } } } },
      }),
    );
    expect(azapi).toEqual([expect.stringMatching(/^unknown types .*known only after/)]);
  });

  it("are in a sensitive_body that has no version, or whose change is all that is planned", async () => {
    const hidden = [expect.stringMatching(/^unknown plan .*its sensitive_body may change/)];
    const side = written({ destination: webhook, filter: {} }, { output: "1" });
    expect(await effectsWith(stays(side), AZAPI, updated)).toEqual(hidden);
    const computed = { actions: ["update"], after_unknown: { output: true } };
    expect(await effectsWith(stays(side), AZAPI, () => computed)).toEqual(hidden);
    const changing = (change: Attributes, expressions: object) =>
      effects(
        planWith(
          { [AZAPI]: [side, { ...side, ...change }] },
          { configuration: { root_module: { resources: [{ address: AZAPI, expressions }] } } },
        ),
      );
    // A change of tags makes the output unknown, and so does one of the sensitive body.
    const tags = { tags: { a: "b" }, output: LATER };
    expect(await changing(tags, { sensitive_body: {} })).toEqual(hidden);
    expect(await changing(tags, {})).toEqual([]);
    expect(await changing({ locks: ["a"] }, { sensitive_body: {} })).toEqual([]);
    const account = {
      "azurerm_storage_account.letters": [null, null],
      [AZAPI]: same({
        id: ACCOUNT,
        type: "Microsoft.Storage/storageAccounts@2024-01-01",
        body: {},
      }),
    } as const;
    expect(await effectsWith(account, AZAPI, updated)).toContainEqual(
      expect.stringMatching(/^unknown dead-letters .*sensitive_body changes/),
    );
    const site = { "Microsoft.Web/sites@2024-04-01": { hostNames: ["web.example.net"] } };
    const [[type, properties] = []] = Object.entries(site);
    const served = same({
      id: `${GROUP}/providers/Microsoft.Web/sites/w`,
      type,
      body: { properties },
    });
    expect(await effectsWith({ [AZAPI]: served }, AZAPI, updated)).toEqual([
      expect.stringMatching(/^unknown destination .*on the way.*sensitive_body changes/),
    ]);
  });

  it("are unset where a provider has an empty text", async () => {
    const queue = "azurerm_servicebus_queue.orders";
    const unset = { ...of(queue), status: null, forward_to: null };
    const empty = { ...of(queue), status: "", forward_to: "" };
    expect(await effects(planWith({ [queue]: [unset, empty] }))).toEqual([]);
    expect(await effects(planWith({ [queue]: [empty, unset] }))).toEqual([]);
  });
});

describe("a plan that does not say whether it is complete", () => {
  /** A plan of OpenTofu 1.12, whose state has another resource in a module. */
  const planOf = (address: string, change: object = {}) => {
    const { complete, ...plan } = JSON.parse(planWith({ [APP]: same(of(APP)) }));
    const [first, ...others] = plan.resource_changes;
    const module = {
      resources: [
        { address, mode: "managed" },
        { address: "d", mode: "data" },
      ],
    };
    const state = { resources: [{ address: APP, mode: "managed" }], child_modules: [module] };
    const prior_state = { values: { root_module: state } };
    return { ...plan, resource_changes: [{ ...first, ...change }, ...others], prior_state };
  };
  const partial = [expect.stringMatching(/^unknown plan .*not complete/)];

  it.each([
    ["is partial without a resource that the state has", planOf("module.m.a"), partial],
    ["is whole if that resource was moved", planOf("m", { previous_address: "m" }), []],
    ["is whole if it has all resources", planOf(APP), []],
    ["is whole if it only refreshes", { ...planOf("m"), resource_changes: [] }, []],
    ["is partial if it says so itself", { ...planOf(APP), complete: false }, partial],
  ])("%s", async (_, plan, expected) => {
    expect(await effects(JSON.stringify(plan))).toEqual(expected);
  });
});

describe("what is replaced and forgotten", () => {
  it.each([
    "azurerm_eventgrid_topic.shop",
    "azurerm_storage_container.dead",
    "azurerm_role_assignment.queue",
    APP,
  ])("is not destroyed: %s", async (address) => {
    for (const actions of [
      ["create", "forget"],
      ["forget", "create"],
    ]) {
      const sides = same(of(address));
      expect(await effectsWith({ [address]: sides }, address, () => ({ actions }))).toEqual([]);
    }
  });
});

it("what is forgotten stays in Azure, and is one with what another address imports", async () => {
  const forgets = (address: string): Sets => ({ [address]: [of(address), null, ["forget"]] });
  const queue = forgets("azurerm_eventgrid_event_subscription.queue");
  expect(await effects(planWith(queue))).toEqual([]);
  const role = "azurerm_role_assignment.queue";
  const [lost] = await effects(planWith({ ...queue, [role]: [of(role), null] }));
  expect(lost).toMatch(/^lost role .*loses its role \(needed by .*queue/);
  const { id } = of("azurerm_storage_account.letters");
  const azapi = { type: "Microsoft.Storage/storageAccounts@2024-01-01", id, name: "letters" };
  const [old, next] = ["StorageV2", "FileStorage"].map((kind) => ({ ...azapi, body: { kind } }));
  const imported: Sets = { "azapi_resource.z": [old ?? null, next ?? null] };
  const sets = { ...forgets("azurerm_storage_account.letters"), ...imported };
  const found = await effectsWith(sets, "azapi_resource.z", () => ({ importing: { id } }));
  expect(found.join()).toContain("lost destination azapi_resource.z: it is of a kind");
});

const ELSEWHERE = `${GROUP}/providers/Microsoft.Storage/storageAccounts/elsewhere`;
const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/elsewhere`;
const deadLetters = {
  storage_blob_dead_letter_destination: [
    { storage_account_id: ELSEWHERE, storage_blob_container_name: "dead" },
  ],
};
const subscription = (settings: Attributes): Sets => ({
  "azurerm_eventgrid_event_subscription.e": same({ name: "e", scope: TOPIC, ...settings }),
});
const identified = subscription({
  ...deadLetters,
  dead_letter_identity: [{ type: "SystemAssigned" }],
});
const part = (properties: object) => ({
  "azapi_update_resource.e": [
    null,
    {
      type: "Microsoft.Storage/storageAccounts@2024-01-01",
      resource_id: ELSEWHERE,
      body: { properties },
    },
  ] as const,
});
const rules = "azurerm_storage_account_network_rules.e";
const rule = (default_action: string, bypass: string[], more: object = {}) => ({
  ...{ id: ELSEWHERE, storage_account_id: ELSEWHERE, default_action, bypass },
  ...more,
});
const admitted = { private_link_access: [{ endpoint_resource_id: TOPIC }] };
const ruleSet = "azurerm_servicebus_namespace_network_rule_set.e";
const ofBus = (default_action: string) => ({
  ...{ id: `${BUS}/networkRuleSets/default`, namespace_id: BUS, default_action },
  trusted_services_allowed: false,
});
const toBus = subscription({ service_bus_queue_endpoint_id: `${BUS}/queues/a` });
const role = (role_definition_name: string) => {
  const scope = `${GROUP}2/providers/Microsoft.EventGrid/topics/elsewhere`;
  const side = { id: `${scope}/r`, scope, role_definition_name, principal_id: EVENT_GRID };
  return { "azurerm_role_assignment.e": [side, null] } as const;
};
const registered = (name: string) => ({
  "azurerm_resource_provider_registration.e": [
    { id: `${GROUP.replace(/\/resourceGroups.*/, "")}/providers/${name}`, name },
    null,
  ] as const,
});
const NETWORK = "its network rules refuse Event Grid";
const rows: Readonly<Record<string, readonly [Sets, string?]>> = {
  "azapi closes an account": [
    { ...identified, ...part({ networkAcls: { defaultAction: "Deny", bypass: "None" } }) },
    `unknown dead-letters azapi_update_resource.e: ${NETWORK}`,
  ],
  "azapi shuts trusted services out of an account, if its default is to deny": [
    { ...identified, ...part({ networkAcls: { bypass: "None" } }) },
    `unknown dead-letters azapi_update_resource.e: ${NETWORK}`,
  ],
  "azapi switches the keys of an account off": [
    { ...subscription(deadLetters), ...part({ allowSharedKeyAccess: false }) },
    "unknown dead-letters azapi_update_resource.e: access keys are switched off",
  ],
  "an account gets network rules": [
    { ...identified, [rules]: [null, rule("Deny", ["None"])] },
    `unknown dead-letters ${rules}: ${NETWORK}`,
  ],
  "network rules no longer admit the topic": [
    { ...identified, [rules]: [rule("Deny", ["None"], admitted), rule("Deny", ["None"])] },
    `lost dead-letters ${rules}: ${NETWORK}`,
  ],
  "network rules admit more": [
    { ...identified, [rules]: [rule("Deny", ["None"]), rule("Deny", ["AzureServices"])] },
  ],
  "a namespace gets network rules": [
    { ...toBus, [ruleSet]: [null, ofBus("Deny")] },
    `unknown destination ${ruleSet}: ${NETWORK}`,
  ],
  "the network rules of a namespace begin to deny": [
    { ...toBus, [ruleSet]: [ofBus("Allow"), ofBus("Deny")] },
    `lost destination ${ruleSet}: ${NETWORK}`,
  ],
  "a publisher loses its role at a topic": [
    role("EventGrid Data Sender"),
    `unknown role azurerm_role_assignment.e: ${EVENT_GRID} may no longer publish`,
  ],
  "a reader loses its role at a topic": [role("Reader")],
  "the registration of Event Grid is destroyed": [
    registered("Microsoft.EventGrid"),
    "unknown destroyed azurerm_resource_provider_registration.e: the registration of Microsoft.EventGrid",
  ],
  "the registration of a destination's provider is destroyed": [
    registered("Microsoft.ServiceBus"),
    "unknown destroyed azurerm_resource_provider_registration.e: the registration of Microsoft.Serv",
  ],
  "whether an account takes keys is known later": [
    changed("azurerm_storage_account.plain", { shared_access_key_enabled: LATER }),
    "unknown dead-letters azurerm_storage_account.plain: it is not known whether access keys are",
  ],
  "an account that is known later gets network rules": [
    { ...identified, [rules]: [null, { storage_account_id: LATER, default_action: "Deny" }] },
    `unknown plan ${rules}: what it configures is known only after the apply`,
  ],
  "policies are carried out by a remediation": [
    { "azurerm_resource_policy_remediation.e": [null, { name: "e", resource_id: TOPIC }] },
    "unknown plan azurerm_resource_policy_remediation.e: policies that the plan does not show",
  ],
};

describe("resources that are not in the plan, or only in part", () => {
  it.each(Object.entries(rows))("are judged by what changes: %s", async (_, [sets, expected]) => {
    const found = await effects(planWith(sets));
    expect(found).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
  });
});

describe("an event subscription whose scope is known later", () => {
  const WEB = "azurerm_eventgrid_event_subscription.web";
  const leaves = `lost destroyed ${WEB}: it leaves its source: no event of that arrives any more`;
  it.each([
    ["that of a new topic with another name", null, "two", leaves],
    ["that of a new topic with the same name", null, "SHOP", undefined],
    ["that of a new topic whose name is known later", null, LATER, undefined],
    ["that of a topic that is replaced", { id: `${TOPIC}2`, name: "one" }, "two", undefined],
  ])("leaves its source, or not: %s", async (_, before, name, expected) => {
    const topic = "azurerm_eventgrid_topic.n";
    const expressions = { scope: { references: [`${topic}.id`, topic] } };
    const actions = ["delete", "create"];
    const sets: Sets = {
      [topic]: [before, { id: LATER, name }, before ? actions : ["create"]],
      [WEB]: [of(WEB), { ...of(WEB), scope: LATER }, actions],
    };
    const resources = [{ address: WEB, expressions }, { address: topic }];
    const found = await effects(planWith(sets, { configuration: { root_module: { resources } } }));
    expect(found.filter((text) => text.includes("leaves"))).toEqual(expected ? [expected] : []);
  });
});
