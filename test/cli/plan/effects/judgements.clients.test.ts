import { describe, expect, it } from "vitest";
import { LATER, type Sets, same } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";
import {
  A,
  ACCOUNT,
  ARM,
  account,
  CLIENT,
  judged,
  N,
  OTHER,
  QUEUE,
  R,
  role,
  S,
  SENDS,
  SYSTEM,
  stays,
  subscription,
  T,
  TOPIC,
  topic,
  toQueue,
  turns,
  webhook,
} from "./judged.js";

const needed = "(needed by s)";

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
    const azapi = (publicNetworkAccess: string) => ({
      ...{ id: TOPIC, type: "Microsoft.EventGrid/topics@2025-02-15" },
      body: { properties: { publicNetworkAccess } },
    });
    const leaving = [azapi("SecuredByPerimeter"), azapi("Disabled")] as const;
    expect(await judged({ [T]: [null, null], "azapi_resource.t": leaving })).toEqual([
      expect.stringMatching(/^unknown publishers azapi_resource.t: network rules change/),
    ]);
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
    // Nobody receives from a topic.
    expect(await judged({ [R]: [receiving, null] })).toEqual([]);
    const id = `${ARM}/Microsoft.EventGrid/namespaces/shop`;
    const namespace = { "azurerm_eventgrid_namespace.n": same({ id }) };
    const there = { [R]: [{ ...receiving, scope: id }, null] } as const;
    expect(await judged({ ...namespace, ...there })).toEqual([
      `${may("receive")} (needed by azurerm_eventgrid_namespace.n)`,
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
    expect(await judged({ [R]: [role("A custom role of another plan", CLIENT), null] })).toEqual([
      `${may("publish")} (needed by ${T})`,
    ]);
    const [object_id, member_object_id] = ["group", CLIENT];
    const ofGroup: Sets = {
      [R]: same({ ...role(SENDS, object_id), condition: "a" }),
      "azuread_group.g": same({ id: "/groups/g", object_id }),
      "azuread_group_member.m": [{ group_object_id: object_id, member_object_id }, null],
    };
    expect(await judged(ofGroup)).toEqual([
      `${may("publish", "unknown", "azuread_group_member.m")} (needed by ${T})`,
    ]);
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
    const relay = `${ARM}/Microsoft.Relay/namespaces/r/hybridConnections/h`;
    const listening = { [R]: [role("Azure Relay Listener", CLIENT, relay), null] } as const;
    expect(await judged({ ...stays({ hybrid_connection_id: relay }), ...listening })).toEqual(
      expected,
    );
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

  it("is that at a topic of another plan, where only who has it changes", async () => {
    const elsewhere = `${ARM}/Microsoft.EventGrid/topics/elsewhere`;
    const at = { [R]: same(role(SENDS, CLIENT, elsewhere)) };
    const I = "azurerm_user_assigned_identity.i";
    const identity = { id: "/i", principal_id: CLIENT };
    const gone = (address: string) => [`${may("publish", "unknown", address)} (needed by ${R})`];
    expect(await judged({ ...at, [I]: [identity, null] })).toEqual(gone(I));
    const other = { ...identity, principal_id: OTHER };
    expect(await judged({ ...at, [I]: [other, null] })).toEqual([]);
    expect(
      await judged({ [R]: same(role("Reader", CLIENT, elsewhere)), [I]: [identity, null] }),
    ).toEqual([]);
    const M = "azuread_group_member.m";
    const member = { id: "m", group_object_id: "g", member_object_id: CLIENT };
    const group = { "azuread_group.g": same({ id: "/groups/1", object_id: "g" }) };
    const ofGroup = { ...group, [R]: same(role(SENDS, "g", elsewhere)) };
    expect(await judged({ ...ofGroup, [M]: [member, null] })).toEqual(gone(M));
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
