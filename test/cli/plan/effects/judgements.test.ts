import { describe, expect, it } from "vitest";
import { Judgements } from "../../../../cli/src/plan/effects/index.js";
import { alikeSubscriptions } from "../../../../cli/src/plan/graph/index.js";
import { readPlan } from "../../../../cli/src/plan/index.js";
import { EVENT_GRID } from "../../../../cli/src/plan/worlds/index.js";
import { LATER, type Sets, same, setsPlan, subscriptionsOf } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";

const ARM = "/subscriptions/s/resourceGroups/g/providers";
const TOPIC = `${ARM}/Microsoft.EventGrid/topics/shop`;
const ACCOUNT = `${ARM}/Microsoft.Storage/storageAccounts/a`;
const QUEUE = `${ACCOUNT}/queueServices/default/queues/q`;
const [SYSTEM, CLIENT, OTHER] = ["system", "client", "other"];

const topic = {
  ...{ id: TOPIC, name: "shop" },
  identity: [{ type: "SystemAssigned", principal_id: SYSTEM }],
};
const account = { id: ACCOUNT, account_kind: "StorageV2" };
const toQueue = { storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "q" }] };
const dead = {
  storage_blob_dead_letter_destination: [
    { storage_account_id: ACCOUNT, storage_blob_container_name: "dead" },
  ],
};
const byIdentity = { delivery_identity: [{ type: "SystemAssigned" }] };
const webhook = (application?: string) => ({
  webhook_endpoint: [{ url: "https://a.example/", active_directory_app_id_or_uri: application }],
});
const subscription = (settings: Attributes, name = "s") => ({
  ...{ id: `${TOPIC}/${name}`, name, scope: TOPIC },
  ...settings,
});
const role = (role_definition_name: string, principal_id: string, scope = TOPIC) => ({
  ...{ id: `${scope}/r/${principal_id}`, scope, role_definition_name, principal_id },
});
const SENDS = "EventGrid Data Sender";
const WRITES = "Storage Queue Data Message Sender";

const T = "azurerm_eventgrid_topic.t";
const A = "azurerm_storage_account.a";
const S = "azurerm_eventgrid_event_subscription.s";
const R = "azurerm_role_assignment.r";
const N = "azurerm_role_assignment.n";

/** The findings of a plan with a topic and an account, as `label check address: message`. */
async function judged(sets: Sets): Promise<string[]> {
  const { changes } = readPlan(setsPlan({ [T]: same(topic), [A]: same(account), ...sets }));
  const subscriptions = subscriptionsOf(changes);
  const judgements = await Judgements.of(
    ...([changes, subscriptions, alikeSubscriptions(subscriptions)] as const),
  );
  return changes.flatMap((change) =>
    judgements
      .findings(change)
      .map(({ label, check, message }) => `${label} ${check} ${change.address}: ${message}`),
  );
}
const stays = (settings: Attributes): Sets => ({ [S]: same(subscription(settings)) });
const turns = (address: string, before: Attributes, change: Attributes): Sets => ({
  [address]: [before, { ...before, ...change }],
});
const closed = { network_rules: [{ default_action: "Deny", bypass: ["None"] }] };
const keysOff = { shared_access_key_enabled: false };
const needed = "(needed by s)";
const REFUSED = "its network rules refuse Event Grid";
const KEYS = "access keys are switched off, and events are written without an identity";
const ROLE = "the identity that writes events or dead letters loses its role";

describe("a rule of a delivery", () => {
  it("is lost with what changes, whose attribute is shown, and by whom it is needed", async () => {
    const twin = { "azurerm_eventgrid_event_subscription.b": same(subscription(toQueue, "b")) };
    expect(await judged({ ...stays(toQueue), ...twin, ...turns(A, account, keysOff) })).toEqual([
      `LOST destination ${A}: ${KEYS} (shared_access_key_enabled) (needed by s, b)`,
    ]);
    expect(await judged({ ...stays(toQueue), ...turns(A, account, closed) })).toEqual([
      `LOST destination ${A}: ${REFUSED} (network_rules) ${needed}`,
    ]);
    const kind = { account_kind: "FileStorage" };
    const holds = "it is of a kind that cannot hold them (account_kind: StorageV2 → FileStorage)";
    expect(await judged({ ...stays({ ...toQueue, ...dead }), ...turns(A, account, kind) })).toEqual(
      ["dead-letters", "destination"].map((part) => `LOST ${part} ${A}: ${holds} ${needed}`),
    );
    const broken = { ...account, ...keysOff };
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, kind) })).toHaveLength(1);
    expect(await judged({ ...stays(toQueue), [A]: [account, null] })).toEqual([]);
  });

  it("is unknown if it depends on a value that is known later, unless it was broken", async () => {
    const later = { shared_access_key_enabled: LATER };
    const text = (what: string) => `unknown destination ${A}: ${what} ${needed}`;
    expect(await judged({ ...stays(toQueue), ...turns(A, account, later) })).toEqual([
      text(`it is not known whether ${KEYS} (shared_access_key_enabled)`),
    ]);
    const broken = { ...account, ...keysOff };
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, later) })).toEqual([]);
    expect(await judged({ ...stays(toQueue), ...turns(A, broken, { tags: {} }) })).toEqual([]);
  });

  it("is lost with the subscription if nothing else changes, where it is needed only afterwards", async () => {
    const refusing = { [A]: same({ ...account, ...keysOff }) };
    const at = (before: Attributes, after: Attributes) =>
      judged({ ...refusing, [S]: [subscription(before), subscription(after)] });
    expect(await at({ ...toQueue, ...byIdentity }, toQueue)).toEqual([
      `LOST destination ${S}: ${KEYS} ${needed}`,
    ]);
    expect(await at(webhook(), toQueue)).toEqual([`LOST destination ${S}: ${KEYS} ${needed}`]);
    const stored = { ...dead, ...webhook() };
    expect(
      await at({ ...stored, dead_letter_identity: [{ type: "SystemAssigned" }] }, stored),
    ).toEqual([`LOST dead-letters ${S}: ${KEYS} ${needed}`]);
    // Dead letters that nobody kept are not lost.
    expect(await at(webhook(), stored)).toEqual([]);
  });

  it("is unknown of a resource in another plan that this one changes in part", async () => {
    const patch = (properties: object): Sets => ({
      "azapi_update_resource.u": [
        null,
        {
          ...{ type: "Microsoft.Storage/storageAccounts@2024-01-01", resource_id: ACCOUNT },
          body: { properties },
        },
      ],
    });
    const elsewhere = { ...stays(toQueue), [A]: same({ id: `${ACCOUNT}2` }) };
    const off = { allowSharedKeyAccess: false };
    expect(await judged({ ...elsewhere, ...patch(off) })).toEqual([
      `unknown destination azapi_update_resource.u: ${KEYS} ${needed}`,
    ]);
    expect(await judged({ ...elsewhere, ...patch({ allowSharedKeyAccess: true }) })).toEqual([]);
  });
});

describe("the role of an identity that writes", () => {
  const writing = stays({ ...toQueue, ...byIdentity });
  const own = role(WRITES, SYSTEM, ACCOUNT);
  const lost = `LOST role ${R}: ${ROLE} ${needed}`;

  it("is lost with its assignment, unless another one or a group may have it", async () => {
    expect(await judged({ ...writing, [R]: [own, null] })).toEqual([lost]);
    const reader = { ...own, role_definition_name: "Reader" };
    expect(await judged({ ...writing, [R]: [own, reader] })).toEqual([lost]);
    expect(await judged({ ...writing, [R]: [reader, null] })).toEqual([]);
    expect(await judged({ ...writing, [R]: [own, null], [N]: same({ ...own, id: "n" }) })).toEqual(
      [],
    );
    const someone = { [N]: same({ ...own, principal_id: OTHER }) };
    expect(await judged({ ...writing, [R]: [own, null], ...someone })).toEqual([
      `unknown role ${R}: it is not known whether ${ROLE} ${needed}`,
    ]);
    const ofGroup = { ...own, principal_id: OTHER };
    expect(await judged({ ...writing, [R]: [ofGroup, null] })).toEqual([
      `unknown role ${R}: ${ROLE} ${needed}`,
    ]);
  });

  it("may be missing for a moment when another one replaces it, or for longer", async () => {
    const next = { ...own, id: "n" };
    const moment = `unknown role ${R}: ${ROLE} for a moment ${needed}`;
    expect(await judged({ ...writing, [R]: [own, null], [N]: [null, next] })).toEqual([moment]);
    const replaced = (...actions: string[]): Sets => ({ [R]: [own, own, actions] });
    expect(await judged({ ...writing, ...replaced("delete", "create") })).toEqual([moment]);
    expect(await judged({ ...writing, ...replaced("create", "delete") })).toEqual([]);
    const later = { ...own, principal_id: LATER };
    expect(await judged({ ...writing, [R]: [own, null], [N]: [null, later] })).toEqual([
      `unknown role ${R}: it is not known whether ${ROLE} ${needed}`,
    ]);
  });

  it("is another one with another identity", async () => {
    const lone = { [T]: [topic, { ...topic, identity: [] }] } as const;
    const gone = "the topic loses the identity that events or dead letters are written with";
    expect(await judged({ ...writing, [R]: same(own), ...lone })).toEqual([
      `LOST identity ${T}: ${gone} (identity) ${needed}`,
    ]);
    const other = [{ type: "SystemAssigned", principal_id: OTHER }];
    const changed = { [T]: [topic, { ...topic, identity: other }] } as const;
    // Its role is asked for anew, and that there is another identity is said of the settings.
    expect(await judged({ ...writing, [R]: same(own), ...changed })).toEqual([]);
  });
});

describe("the application of tokens", () => {
  const application = {
    ...{ id: "/applications/1", client_id: CLIENT, identifier_uris: ["api://a"] },
    app_role: [{ value: "AzureEventGridSecureWebhookSubscriber", enabled: true, id: "1" }],
  };
  const principal = { id: "/p", object_id: "p", client_id: CLIENT, account_enabled: true };
  const entra = (after: Attributes): Sets => ({
    "azuread_application.a": same(application),
    "azuread_service_principal.p": [principal, after],
  });
  const off = { ...principal, account_enabled: false };
  const disabled = "it is disabled: Event Grid gets no tokens for it";

  it("is that of a webhook, and is needed as soon as a webhook has one", async () => {
    const at = `identity azuread_service_principal.p: ${disabled}`;
    expect(await judged({ ...stays(webhook("api://a")), ...entra(off) })).toEqual([
      `LOST ${at} (account_enabled: true → false) ${needed}`,
    ]);
    const later = { ...principal, account_enabled: LATER };
    expect(await judged({ ...stays(webhook("api://a")), ...entra(later) })).toEqual([
      expect.stringMatching(/^unknown identity .*: it is not known whether the application/),
    ]);
    const begins = { [S]: [subscription(webhook()), subscription(webhook("api://a"))] } as const;
    const sets = { ...begins, ...entra(off), "azuread_service_principal.p": same(off) };
    expect(await judged(sets)).toEqual([`LOST identity ${S}: ${disabled} ${needed}`]);
    expect(await judged({ ...stays(webhook()), ...entra(off) })).toEqual([]);
  });

  it("is lost with the app role of Event Grid", async () => {
    const principal_object_id = "grid";
    const grid = { id: "/g", object_id: "grid", client_id: EVENT_GRID, account_enabled: true };
    const G = "azuread_app_role_assignment.g";
    const assigned = { id: "g", app_role_id: "1", principal_object_id, resource_object_id: "p" };
    const sets = { ...entra(principal), "azuread_service_principal.g": same(grid) };
    const found = await judged({ ...stays(webhook("api://a")), ...sets, [G]: [assigned, null] });
    expect(found).toEqual([
      expect.stringMatching(`^LOST role ${G}: Event Grid loses its app role: webhooks refuse`),
    ]);
  });

  it.each<readonly [string, Attributes]>([
    ["LOST identity A: the app role of Event Grid's tokens is removed", { app_role: [] }],
    ["LOST identity A: the application that tokens are for is gone", { identifier_uris: [] }],
    ["unknown identity A: it is not known whether the application", { identifier_uris: LATER }],
  ])("changes: %s", async (text, change) => {
    const sets = { ...entra(principal), ...turns("azuread_application.a", application, change) };
    expect(await judged({ ...stays(webhook("api://a")), ...sets })).toEqual([
      expect.stringMatching(`^${text.replace(" A:", " azuread_application.a:")}`),
    ]);
  });
});

it("judges the source of events, also of a subscription that moves to it", async () => {
  const of = (scope: string) => subscription({ ...webhook(), scope });
  const silent = { account_kind: "Storage" };
  const says = (address: string) =>
    `LOST destroyed ${address}: it is of a kind that raises no events`;
  expect(await judged({ [S]: same(of(ACCOUNT)), ...turns(A, account, silent) })).toEqual([
    `${says(A)} (account_kind: StorageV2 → Storage) ${needed}`,
  ]);
  const mute = { [A]: same({ ...account, ...silent }) };
  expect(await judged({ ...mute, [S]: [of(TOPIC), of(ACCOUNT)] })).toEqual([
    `${says(S)} ${needed}`,
  ]);
});

describe("clients of a topic", () => {
  const rules = (...masks: string[]) => ({
    inbound_ip_rule: masks.map((ip_mask) => ({ ip_mask })),
  });
  const refused = `unknown publishers ${T}: network rules change: clients outside of them are refused`;

  it.each<readonly [string, Attributes, Attributes, string[]]>([
    ["some addresses are admitted", {}, rules("1.0.0.0/8"), [refused]],
    ["fewer addresses are admitted", rules("1.0.0.0/8"), rules("1.1.0.0/16"), [refused]],
    ["more addresses are admitted", rules("1.1.0.0/16"), rules("1.1.0.0/16", "2.0.0.0/8"), []],
    ["all addresses are admitted", rules("1.1.0.0/16"), {}, []],
    ["the same are admitted", rules("1.1.0.0/16"), { ...rules("1.1.0.0/16"), tags: {} }, []],
  ])("are refused, or not, where %s", async (_, before, after, expected) => {
    const found = await judged({
      [T]: [
        { ...topic, ...before },
        { ...topic, ...after },
      ],
    });
    expect(found.map((text) => text.replace(/ \(.*/, ""))).toEqual(expected);
  });

  it("are refused without keys or a way in, which is known or not", async () => {
    const off = { local_auth_enabled: false };
    const keys = "access keys are switched off: clients that use them are refused";
    expect(await judged(turns(T, topic, off))).toEqual([
      `unknown publishers ${T}: ${keys} (local_auth_enabled)`,
    ]);
    expect(await judged(turns(T, topic, { local_auth_enabled: LATER }))).toEqual([
      `unknown publishers ${T}: ${keys} (local_auth_enabled)`,
    ]);
    const shut = { public_network_access_enabled: false };
    const shown = "(public_network_access_enabled)";
    const endpoint = { private_service_connection: [{ private_connection_resource_id: TOPIC }] };
    const way: Sets = { "azurerm_private_endpoint.e": same(endpoint) };
    expect(await judged({ ...turns(T, topic, shut), ...way })).toEqual([
      `unknown publishers ${T}: network rules change: clients outside of its private endpoints are refused ${shown}`,
    ]);
    expect(await judged({ [T]: [topic, null] })).toEqual([]);
  });
});

describe("the right of a client", () => {
  const may = (does: string, effect = "unknown", at = R) =>
    `${effect} role ${at}: ${CLIENT} may no longer ${does}`;
  const publishing = role(SENDS, CLIENT);

  it("is to publish or receive, and is certainly lost only where there are no keys", async () => {
    expect(await judged({ [R]: [publishing, null] })).toEqual([
      `${may("publish")} (needed by ${T})`,
    ]);
    const receiving = role("EventGrid Data Receiver", CLIENT);
    expect(await judged({ [R]: [receiving, null] })).toEqual([
      `${may("receive")} (needed by ${T})`,
    ]);
    const keyless = { [T]: same({ ...topic, local_auth_enabled: false }) };
    expect(await judged({ ...keyless, [R]: [publishing, null] })).toEqual([
      `${may("publish", "LOST")} (needed by ${T})`,
    ]);
    const becoming = { [T]: [topic, { ...topic, local_auth_enabled: false }] } as const;
    expect(await judged({ ...becoming, [R]: [publishing, null] })).toContain(
      `${may("publish", "LOST")} (needed by ${T})`,
    );
    const ending = { [T]: [{ ...topic, local_auth_enabled: false }, null] } as const;
    expect(await judged({ ...ending, [R]: [publishing, null] })).toEqual([
      `${may("publish", "LOST")} (needed by ${T})`,
    ]);
    const azapi = {
      ...{ id: TOPIC, type: "Microsoft.EventGrid/topics@2025-02-15" },
      body: { properties: { disableLocalAuth: true } },
    };
    expect(
      await judged({ [T]: [null, null], "azapi_resource.t": same(azapi), [R]: [publishing, null] }),
    ).toEqual([`${may("publish", "LOST")} (needed by azapi_resource.t)`]);
    expect(await judged({ [R]: [role("Reader", CLIENT), null] })).toEqual([]);
    expect(await judged({ [R]: [publishing, null, ["forget"]] })).toEqual([]);
    // Another one who is in a group may be this one.
    expect(
      await judged({ [R]: [role("Reader", CLIENT), null], [N]: same(role(SENDS, OTHER)) }),
    ).toEqual([]);
  });

  it("is to write event subscriptions only where one is written", async () => {
    const writer = role("EventGrid EventSubscription Contributor", CLIENT);
    const sets = { [R]: [writer, null] } as const;
    const [one, two] = [subscription(webhook()), subscription(webhook(), "b")];
    expect(await judged({ ...sets, [S]: same(one) })).toEqual([]);
    const written = { [S]: [one, { ...one, labels: ["a"] }] } as const;
    const text = may("write event subscriptions");
    expect(await judged({ ...sets, ...written })).toEqual([`${text} (needed by ${T})`]);
    const both = { "azurerm_eventgrid_event_subscription.b": same(two), ...written };
    expect(await judged({ ...sets, ...both, [T]: [null, null] })).toEqual([
      `${text} (needed by b)`,
    ]);
    expect(await judged({ ...sets, [S]: [null, one], [T]: [null, null] })).toEqual([]);
  });

  it("is to read what is delivered, except for what delivers it", async () => {
    const reads = "Storage Queue Data Message Processor";
    const found = (principal: string, scope: string, settings: Attributes = toQueue) =>
      judged({ ...stays(settings), [R]: [role(reads, principal, scope), null] });
    const expected = [`${may("read what is delivered")} ${needed}`];
    for (const scope of [QUEUE, ACCOUNT]) expect(await found(CLIENT, scope)).toEqual(expected);
    expect(await found(SYSTEM, QUEUE)).toEqual([]);
    expect(await found(CLIENT, `${QUEUE}2`)).toEqual([]);
    expect(await found(CLIENT, QUEUE, webhook())).toEqual([]);
  });

  it("is that at a topic of another plan, which its assignments show", async () => {
    const elsewhere = `${ARM}/Microsoft.EventGrid/topics/elsewhere`;
    const sets = { [R]: [role(SENDS, CLIENT, elsewhere), null] } as const;
    expect(await judged(sets)).toEqual([may("publish")]);
    const second = role(SENDS, OTHER, elsewhere);
    expect(await judged({ ...sets, [N]: [second, null] })).toEqual([
      may("publish"),
      `unknown role ${N}: ${OTHER} may no longer publish (needed by ${R})`,
    ]);
    expect(await judged({ ...sets, [N]: same(second) })).toEqual([may("publish")]);
    // At the group of a known topic, or at a part of it, it is the right at that.
    for (const scope of ["/subscriptions/s/resourceGroups/g", `${TOPIC}/inner`]) {
      const one = role(SENDS, CLIENT, scope);
      const found = await judged({ [R]: [one, null] });
      const isAbove = !scope.endsWith("inner");
      expect(found).toEqual(isAbove ? [`${may("publish")} (needed by ${T})`] : []);
    }
    const azapi = {
      ...{ id: "r", type: "Microsoft.Authorization/roleAssignments@2022-04-01" },
      parent_id: elsewhere,
      body: {
        properties: {
          principalId: CLIENT,
          roleDefinitionId: "/x/d5a91429-5739-47e2-a06b-3470a27159e7",
        },
      },
    };
    expect(await judged({ "azapi_resource.r": [azapi, null] })).toEqual([
      may("publish", "unknown", "azapi_resource.r"),
    ]);
  });

  it("goes with its group, its role or its identity, and with how it signs in", async () => {
    const group = { id: "/groups/1", object_id: "g", members: [CLIENT] };
    const ofGroup = { [R]: same({ ...role(SENDS, "g"), principal_type: "Group" }) };
    const G = "azuread_group.g";
    const others = turns(A, account, { tags: { a: "b" } });
    expect(
      await judged({ ...ofGroup, ...others, [G]: [group, { ...group, members: [] }] }),
    ).toEqual([`${may("publish", "unknown", G)} (needed by ${T})`]);
    const member = { id: "m", group_object_id: "g", member_object_id: CLIENT };
    const M = "azuread_group_member.m";
    expect(
      await judged({ ...ofGroup, [G]: same({ ...group, members: [] }), [M]: [member, null] }),
    ).toEqual([`${may("publish", "unknown", M)} (needed by ${T})`]);
    const identity = { id: `${ARM}/Microsoft.ManagedIdentity/userAssignedIdentities/i` };
    const I = "azurerm_user_assigned_identity.i";
    const used = { [R]: same(publishing), [I]: same({ ...identity, principal_id: CLIENT }) };
    expect(await judged({ ...used, [I]: [{ ...identity, principal_id: CLIENT }, null] })).toEqual([
      `${may("publish", "unknown", I)} (needed by ${T})`,
    ]);
    const credential = { id: "c", parent_id: identity.id, issuer: "a" };
    const C = "azurerm_federated_identity_credential.c";
    expect(await judged({ ...used, [C]: [credential, { ...credential, issuer: "b" }] })).toEqual([
      `${may("sign in to publish", "unknown", C)} (needed by ${T})`,
    ]);
    expect(await judged({ ...used, [R]: [publishing, null], [C]: [credential, null] })).toContain(
      `${may("publish")} (needed by ${T})`,
    );
    const P = "azuread_service_principal.p";
    const service = { id: "/p", object_id: CLIENT, client_id: "c", account_enabled: true };
    const off = { ...service, account_enabled: false };
    expect(await judged({ [R]: same(publishing), [P]: [service, off] })).toEqual([
      `${may("sign in to publish", "unknown", P)} (account_enabled: true → false) (needed by ${T})`,
    ]);
    const ours = { ...role("Ours", CLIENT), role_definition_id: "/d/1" };
    const definition = {
      ...{ id: "1|2", role_definition_resource_id: "/d/1" },
      permissions: [{ data_actions: ["Microsoft.EventGrid/events/send/action"] }],
    };
    const D = "azurerm_role_definition.d";
    const less = { ...definition, permissions: [{ data_actions: [] }] };
    expect(await judged({ [R]: same(ours), [D]: [definition, less] })).toEqual([
      `${may("publish", "unknown", D)} (needed by ${T})`,
    ]);
  });
});
