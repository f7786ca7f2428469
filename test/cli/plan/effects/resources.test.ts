import { describe, expect, it } from "vitest";
import {
  changedIn,
  destroyedSourceFindings,
  destructionFindings,
  judgedChanges,
  neighbourFindings,
  relevantIn,
} from "../../../../cli/src/plan/effects/resources.js";
import { type Dependency, EXISTENCE } from "../../../../cli/src/plan/graph/index.js";
import type { PlannedChange } from "../../../../cli/src/plan/terraform/index.js";
import { LATER, type Sides, subscriptionsOf } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";
import { changeOf, configured, texts, updated } from "./changes.js";
import { A, ACCOUNT, ARM, dead, QUEUE, S, subscription, T, TOPIC, toQueue } from "./judged.js";

const REPLACED = ["delete", "create"];
const [Q, U] = ["azurerm_storage_queue.q", "azapi_update_resource.u"];

describe("what is destroyed with a resource that a subscription needs", () => {
  const destroyed = (address: string, side: Attributes, ...actions: readonly string[]) =>
    changeOf(address, [side, actions.length > 1 ? side : null, actions]);
  const losses = (
    sides: readonly [Attributes | null, Attributes | null],
    ...gone: readonly PlannedChange[]
  ) => {
    const [one] = subscriptionsOf([changeOf(S, sides)]);
    return one && texts(destructionFindings(one, gone));
  };
  const stays = (settings: Attributes) => [subscription(settings), subscription(settings)] as const;
  const queue = destroyed(Q, { id: QUEUE }, "delete");

  it("is lost if the subscription still needs it, or says later what it needs", () => {
    expect(losses(stays(toQueue), queue)).toEqual([
      `LOST destination: its destination ${Q} is destroyed`,
    ]);
    const later = { storage_queue_endpoint: [{ storage_account_id: LATER, queue_name: "q" }] };
    expect(losses([subscription(toQueue), subscription(later)], queue)).toEqual([
      `LOST destination: its destination ${Q} is destroyed`,
    ]);
    const account = destroyed(A, { id: ACCOUNT }, ...REPLACED);
    expect(losses(stays({ ...toQueue, ...dead }), queue, account)).toEqual([
      `LOST destination: its destination ${Q} is destroyed`,
      `LOST dead-letters: ${A} is replaced, where its dead letters are`,
    ]);
  });

  it("is its content, unknown, if the subscription leaves it", () => {
    const other = { storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "p" }] };
    expect(losses([subscription(toQueue), subscription(other)], queue)).toEqual([
      `unknown destination: ${Q} is destroyed, and the events in it with it`,
    ]);
    const topic = destroyed(T, { id: TOPIC }, "delete");
    const moved = { ...subscription(toQueue), scope: `${TOPIC}2` };
    expect(losses([subscription(toQueue), moved], topic)).toEqual([]);
    expect(losses([subscription(toQueue), null], queue)).toEqual([]);
  });

  it("is what the subscription only starts to need, unless that is replaced", () => {
    const other = { storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "p" }] };
    const sides = [subscription(other), subscription(toQueue)] as const;
    expect(losses(sides, queue)).toEqual([`LOST destination: its destination ${Q} is destroyed`]);
    expect(losses(sides, destroyed(Q, { id: QUEUE }, ...REPLACED))).toEqual([]);
    const [container] = dead.storage_blob_dead_letter_destination;
    const id = `${ACCOUNT}/blobServices/default/containers/dead`;
    const letters = destroyed("azurerm_storage_container.c", { id }, "delete");
    const storing = (...names: string[]) =>
      subscription({
        storage_blob_dead_letter_destination: names.map((storage_blob_container_name) => ({
          ...{ ...container, storage_blob_container_name },
        })),
      });
    expect(losses([storing("other"), storing("dead")], letters)).toEqual([
      "LOST dead-letters: azurerm_storage_container.c is destroyed, where its dead letters are",
    ]);
    expect(losses([storing(), storing("dead")], letters)).toEqual([]);
    expect(losses([null, subscription(toQueue)], queue)).toEqual([]);
  });

  it("is what is needed rather than what is left", () => {
    const elsewhere = {
      storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "p" }],
    };
    const sides = [subscription(toQueue), subscription(elsewhere)] as const;
    const account = destroyed(A, { id: ACCOUNT }, "delete");
    expect(losses(sides, queue, account)).toEqual([
      `LOST destination: its destination ${A} is destroyed`,
    ]);
  });

  it("is reported by others for an identity and an application", () => {
    const id = `${ARM}/Microsoft.ManagedIdentity/userAssignedIdentities/i`;
    const by = { delivery_identity: [{ type: "UserAssigned", user_assigned_identity: id }] };
    const identity = destroyed("azurerm_user_assigned_identity.i", { id }, "delete");
    expect(losses(stays({ ...toQueue, ...by }), identity)).toEqual([]);
  });
});

describe("the end of a source", () => {
  const found = (address: string, sides: Sides, more: object = {}) =>
    texts(destroyedSourceFindings(changeOf(address, sides, more)));
  const dropped = "what it has not delivered is dropped";

  it("is its destruction or its replacement, and nothing else", () => {
    expect(found(T, [{}, null])).toEqual([
      `LOST destroyed: destroyed: nothing can be published to it, and ${dropped}`,
    ]);
    for (const actions of [REPLACED, [...REPLACED].reverse()]) {
      expect(found(T, [{}, {}, actions], { replace_paths: [["name"], ["location"]] })).toEqual([
        `REPLACED replaced: replaced, because of name, location: publishers fail meanwhile and need its new keys, and ${dropped}`,
      ]);
    }
    const [because] = found(T, [{}, {}, REPLACED], { replace_paths: [["name"]] }) ?? [];
    expect(because).toMatch(/replaced, because of name: publishers/);
    expect(found(T, [{}, { name: "a" }])).toBeUndefined();
    expect(found(T, [null, {}])).toBeUndefined();
  });

  it("takes its keys along, unless they are off or it is a system topic", () => {
    const off = `REPLACED replaced: replaced: publishers fail meanwhile, and ${dropped}`;
    for (const side of [{ local_auth_enabled: false }, { disableLocalAuth: true }]) {
      expect(found(T, [side, side, REPLACED])).toEqual([off]);
    }
    const system = `REPLACED replaced: replaced: what its source sends meanwhile is lost, and ${dropped}`;
    const azapi = { type: "Microsoft.EventGrid/systemTopics@2025-02-15" };
    expect(found("azapi_resource.t", [azapi, azapi, REPLACED])).toEqual([system]);
    expect(found("azurerm_eventgrid_system_topic.t", [{}, {}, REPLACED])).toEqual([system]);
  });
});

describe("a change of what a delivery depends on", () => {
  const needed = (more: Partial<Dependency> = {}): Dependency => ({
    ...{ use: "target", check: "destination", by: ["s"], place: "itself" },
    ...more,
  });
  const found = (change: PlannedChange, ...more: readonly Partial<Dependency>[]) =>
    texts(neighbourFindings(change, (more.length > 0 ? more : [{}]).map(needed)));
  const [one] = subscriptionsOf([changeOf(S, [null, subscription(toQueue)])]);
  const ofSubscription = one?.after ? { subscription: one.after } : {};
  const notKnown = "what that does to deliveries is not known to this command";

  it("is not known if nothing says what it does, and names the attributes", () => {
    const by = "(needed by s)";
    expect(found(updated(A, { id: ACCOUNT }, { is_hns_enabled: true }))).toEqual([
      `unknown destination: is_hns_enabled changes: ${notKnown} ${by}`,
    ]);
    expect(found(updated(A, { id: ACCOUNT }, { is_hns_enabled: true, a: 1 }))).toEqual([
      `unknown destination: is_hns_enabled, a change: ${notKnown} ${by}`,
    ]);
    const rule = "azurerm_storage_thing.r";
    const below = { place: "below" } as const;
    for (const [sides, what] of [
      [[null, {}], "created"],
      [[{}, null], "destroyed"],
      [[{}, {}, REPLACED], "replaced"],
    ] satisfies [Sides, string][]) {
      expect(found(changeOf(rule, sides), below)).toEqual([
        `unknown destination: it is ${what}: ${notKnown} ${by}`,
      ]);
    }
    expect(found(changeOf(rule, [{}, {}, ["bad"]]), below)).toEqual([
      `unknown destination: what is done to it is not known to this command ${by}`,
    ]);
    expect(found(changeOf("azapi_resource_action.r", [{}, { a: 1 }]), below)).toEqual([
      `unknown destination: what it does to a resource is not known to this command ${by}`,
    ]);
  });

  it("is silent where its subscription or its creation reports it, or the judgements do", () => {
    const thing = changeOf("azurerm_storage_thing.r", [{}, null]);
    expect(found(thing, { place: "below" }, ofSubscription)).toEqual([]);
    expect(found(thing, { place: "below" }, {})).toHaveLength(1);
    expect(found(thing, { place: "below" }, { place: "behind", ...ofSubscription })).toHaveLength(
      1,
    );
    expect(found(changeOf(A, [null, {}]))).toEqual([]);
    expect(found(changeOf(A, [{}, null]))).toEqual([]);
    const hidden = { network_rules: [{ default_action: "Deny" }] };
    expect(found(updated(A, { id: ACCOUNT }, hidden))).toEqual([]);
    const rules = changeOf("azurerm_storage_account_network_rules.r", [{}, { a: 1 }]);
    expect(found(rules, { place: "below" })).toEqual([]);
    expect(found(rules, { place: "below", use: "identity" })).toHaveLength(1);
    for (const type of [`x${rules.type}`, `${rules.type}x`])
      expect(found({ ...rules, type }, { place: "below" })).toHaveLength(1);
    const scope = "azurerm_storage_encryption_scope.s";
    expect(found(changeOf(scope, [null, { a: 1 }]), { place: "below" })).toEqual([]);
    expect(found(changeOf(scope, [{ a: 1 }, null]), { place: "below" })).toHaveLength(1);
    // They judge what a subscription names, and nothing behind it or in its source.
    const behind = { place: "behind" } as const;
    expect(found(updated(A, { id: ACCOUNT }, hidden), behind)).toHaveLength(1);
    const bus = updated("azurerm_servicebus_namespace.b", {}, { local_auth_enabled: false });
    expect(found(bus, { place: "below", use: "source" })).toHaveLength(1);
    expect(found(bus, { place: "below", use: "origin" })).toEqual([]);
    expect(found(bus, { place: "itself", use: "source" })).toEqual([]);
  });

  it("does not destroy what azapi writes a part of, unless that says so", () => {
    const part = {
      ...{ type: "Microsoft.Storage/storageAccounts@2023-05-01", resource_id: ACCOUNT },
      body: { properties: { routingPreference: { a: 1 } } },
    };
    expect(found(changeOf(U, [part, null]))).toEqual([]);
    const action = { ...part, when: "destroy" };
    expect(found(changeOf("azapi_resource_action.u", [action, null]))).toHaveLength(1);
    expect(found(changeOf("azapi_resource_action.u", [part, null]))).toEqual([]);
    expect(found(changeOf(U, [null, part]))).toEqual([
      `unknown destination: routingPreference changes: ${notKnown} (needed by s)`,
    ]);
  });

  it("is lost by a row of the table, with the values that are short and no secret", () => {
    const queue = "azurerm_servicebus_queue.q";
    const shorter = { default_message_ttl: "PT1H" };
    const says = "it takes fewer or smaller events, or gives up or drops them earlier";
    const before = { default_message_ttl: "P14D" };
    const at = `${says} (default_message_ttl: P14D → PT1H) (needed by s)`;
    expect(found(updated(queue, before, shorter))).toEqual([`unknown destination: ${at}`]);
    const [ofTopic, source] = ["azurerm_eventgrid_topic.t", { use: "source" } as const];
    const days = (event_retention_in_days: unknown) => ({ event_retention_in_days });
    expect(found(updated(ofTopic, days(6), days(1)), source)).toEqual([
      "LOST retries: events are kept for a shorter time (event_retention_in_days: 6 → 1) (needed by s)",
    ]);
    const secret = updated(queue, before, shorter, { after_sensitive: shorter });
    expect(found({ ...secret, isSensitive: () => true })).toEqual([
      `unknown destination: ${says} (default_message_ttl) (needed by s)`,
    ]);
    const long = { default_message_ttl: `P${"1".repeat(19)}D` };
    expect(found(updated(queue, long, shorter))).toEqual([
      `unknown destination: ${says} (default_message_ttl) (needed by s)`,
    ]);
    expect(found(updated(queue, shorter, before))).toEqual([]);
    expect(found(updated(queue, {}, shorter))).toEqual([
      `unknown destination: it is not known whether ${says} (default_message_ttl) (needed by s)`,
    ]);
    const dead = (isKept: boolean) => ({ dead_lettering_on_message_expiration: isKept });
    expect(found(updated(queue, dead(true), dead(false)))).toHaveLength(1);
    const record = changeOf("azurerm_private_dns_a_record.a", [
      ...([{ records: ["10.0.0.1"] }, { records: ["10.0.0.2"] }] as const),
    ]);
    expect(found(record, { use: "access", check: "publishers", place: "behind" })).toEqual([
      expect.stringMatching(/address of the topic \(records\) /),
    ]);
    // The check of a topic's own end is not that of its publishers.
    const tls = updated(ofTopic, { minimum_tls_version: "1.0" }, { minimum_tls_version: "1.2" });
    expect(found(tls, { ...source, check: "destroyed" })).toEqual([
      expect.stringMatching(/^unknown publishers: a later version of TLS/),
    ]);
  });

  it("is not known by a row if the value is known later and the configuration sets it", () => {
    const queue = "azurerm_servicebus_queue.q";
    const later = updated(queue, { max_size_in_megabytes: 1 }, { max_size_in_megabytes: LATER });
    expect(found(configured(later, "max_size_in_megabytes"))).toEqual([
      expect.stringMatching(/^unknown destination: it is not known whether it takes fewer/),
    ]);
    expect(found(configured(later))).toEqual([]);
  });

  it("is not known by what azapi wrote to it before", () => {
    const part = (defaultMessageTimeToLive: string) => ({
      ...{ type: "Microsoft.ServiceBus/namespaces/queues@2024-01-01", resource_id: QUEUE },
      body: { properties: { defaultMessageTimeToLive } },
    });
    expect(found(changeOf(U, [part("P14D"), part("PT1H")]))).toEqual([
      expect.stringMatching(/^unknown destination: it is not known whether it takes fewer/),
    ]);
  });

  it("names each subscription once", () => {
    const change = updated(A, { id: ACCOUNT }, { is_hns_enabled: true });
    expect(found(change, { by: ["s", "t"] }, { by: ["t", "u"] })).toEqual([
      `unknown destination: is_hns_enabled changes: ${notKnown} (needed by s, t, u)`,
    ]);
  });

  it("interrupts by a replacement what needs its existence, which ends with it", () => {
    const endpoint = "azurerm_private_endpoint.e";
    const access = { use: "access", check: "publishers", place: "behind" } as const;
    for (const actions of [REPLACED, [...REPLACED].reverse()]) {
      expect(found(changeOf(endpoint, [{}, { a: 1 }, actions]), access)).toEqual([
        "unknown publishers: it is replaced, and missing for a moment (needed by s)",
      ]);
    }
    expect(found(changeOf(endpoint, [{ a: 1 }, null]), access)).toEqual([
      "unknown publishers: it is not known whether clients no longer reach the topic through it (needed by s)",
    ]);
    const part = {
      ...{ type: "Microsoft.Network/privateEndpoints@2024-05-01", resource_id: "/e" },
      body: { properties: { x: 1 } },
    };
    for (const [sides, of] of [
      [changeOf(U, [part, part, REPLACED]), access],
      [changeOf("azurerm_servicebus_namespace.b", [{}, {}, REPLACED]), { place: "behind" }],
    ] as const) {
      expect(found(sides, of)).toEqual([expect.stringMatching(notKnown)]);
    }
    const origin = { use: "origin", check: "destroyed", place: "below" } as const;
    const lock = { lock_level: "CanNotDelete" };
    expect(found(changeOf("azurerm_management_lock.l", [lock, lock, REPLACED]), origin)).toEqual(
      [],
    );
    expect(found(changeOf(Q, [{}, {}, REPLACED]), origin)).toEqual([]);
  });
});

describe("the attributes that change", () => {
  it("are those of an update that differ, and a later one only if the configuration sets it", () => {
    const change = updated(A, { a: 1, b: 1, c: 1 }, { b: 2, c: LATER, d: LATER });
    expect(changedIn(configured(change, "c"))).toEqual(["b", "c"]);
    expect(changedIn({ ...change, isHidden: true })).toEqual(["b", "c", "d", "sensitive_body"]);
    expect(changedIn(changeOf(A, [{ a: 1 }, {}]))).toEqual(["a"]);
    expect(changedIn(changeOf(A, [{ a: 1 }, null]))).toEqual([EXISTENCE, "a"]);
    expect(changedIn(changeOf(A, [null, { b: 1 }]))).toEqual([EXISTENCE, "b"]);
  });

  it("are of azapi what it writes, and the whole body if that is known later", () => {
    const part = { type: "M/a@1", name: "a", parent_id: "/p", resource_id: "/r", id: "/i" };
    const change = changeOf(U, [null, { ...part, body: { properties: { x: 1, y: null } } }]);
    expect(changedIn(change)).toEqual(["type", "x"]);
    const names = { identity: 1, hostname: 1 };
    expect(changedIn(changeOf(U, [null, { ...part, body: { properties: names } }]))).toEqual([
      ...["type", "identity", "hostname"],
    ]);
    const [before, after] = [{ type: "M/a@1", body: { properties: { x: 1 } } }, { type: "M/a@1" }];
    const later = changeOf("azapi_resource.a", [before, { ...after, body: LATER }]);
    expect(changedIn(configured(later, "body"))).toEqual(["body"]);
  });

  it("matter unless they are known to be harmless, as its whole existence can be", () => {
    const change = updated(A, {}, { tags: { a: "b" }, is_hns_enabled: true });
    expect(relevantIn(change, "target")).toEqual(["is_hns_enabled"]);
    expect(relevantIn(changeOf(Q, [{ a: 1 }, null]), "target")).toEqual([]);
    expect(relevantIn(changeOf(A, [{ a: 1 }, null]), "target")).toEqual([EXISTENCE, "a"]);
  });

  it("are shown if the rules judge them, of an update of the whole resource", () => {
    const sides = [{ account_kind: "StorageV2" }, { account_kind: "FileStorage", a: 1 }] as const;
    expect(judgedChanges(changeOf(A, sides), /./)).toBe("account_kind: StorageV2 → FileStorage");
    expect(judgedChanges(changeOf(A, sides), /^other$/)).toBe("");
    expect(judgedChanges(changeOf(A, [...sides, REPLACED]), /./)).toBe("");
    const part = { type: "Microsoft.Storage/storageAccounts@2023-05-01", resource_id: ACCOUNT };
    const [was, is] = [false, true].map((allowSharedKeyAccess) => ({
      ...{ ...part, body: { properties: { allowSharedKeyAccess } } },
    }));
    expect(judgedChanges(changeOf("azapi_resource.a", [was ?? {}, is ?? {}]), /./)).toBe(
      "allowSharedKeyAccess: false → true",
    );
    expect(judgedChanges(changeOf(U, [was ?? {}, is ?? {}]), /./)).toBe("");
  });
});
