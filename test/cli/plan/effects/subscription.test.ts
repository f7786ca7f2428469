import { describe, expect, it } from "vitest";
import { changedIn, destroyedSourceFindings } from "../../../../cli/src/plan/effects/resources.js";
import {
  destinationText,
  handshakeFindings,
  replacementFindings,
  settingsFindings,
} from "../../../../cli/src/plan/effects/subscription.js";
import type {
  PlannedChange,
  Subscription,
  SubscriptionChange,
} from "../../../../cli/src/plan/terraform/index.js";
import { UNKNOWN } from "../../../../cli/src/rules/index.js";

const ACCOUNT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";
const QUEUE = `${ACCOUNT}/queueServices/default/queues/q`;
const SYSTEM = { type: "SystemAssigned" };
type Target = Subscription["destination"];

const webhook = (place: unknown = "https://a.example/x?code=hush", settings: unknown = {}) => ({
  ...{ type: "WebHook", place, identity: undefined, settings },
});
const target = (type: string, place: unknown, changes: Partial<Target> = {}): Target => ({
  ...{ type, place, identity: undefined, settings: {}, ...changes },
});
const side: Subscription = {
  ...{
    name: "orders",
    scope: "/t",
    isNamespace: false,
    filter: {},
    destination: webhook(),
    deadLetters: undefined,
  },
  ...{ schema: "CloudEventSchemaV1_0", expiry: undefined, minutes: 1440, attempts: 30, lock: 60 },
};

const planned = (changes: Partial<PlannedChange> = {}): PlannedChange => ({
  ...{ address: "x.orders", type: "azurerm_eventgrid_event_subscription", action: "update" },
  ...{ before: {}, after: {}, replacePaths: [], isHidden: false, isImported: false },
  isSensitive: () => false,
  references: () => undefined,
  origins: () => new Set(),
  ...changes,
});
const changeOf = (
  before: Partial<Subscription>,
  after: Partial<Subscription>,
  change: Partial<PlannedChange> = {},
): SubscriptionChange => ({
  change: planned(change),
  before: { ...side, ...before },
  after: { ...side, ...after },
});
const said = (found: ReturnType<typeof settingsFindings>) =>
  found.map(({ effect, check, label, message }) => `${effect} ${check} ${label}: ${message}`);

/** What is said of a change of settings. */
const says = (
  before: Partial<Subscription>,
  after: Partial<Subscription>,
  change: Partial<PlannedChange> = {},
) => said(settingsFindings(changeOf(before, after, change))).join("; ");

describe("a change of the destination", () => {
  const to = (before: Target, after: Target, secret?: string) =>
    says(
      { destination: before },
      { destination: after },
      { isSensitive: (name) => name === secret },
    );

  it("shows where a webhook moves, without secrets", () => {
    const [a, b] = [webhook(), webhook("https://b.example/")];
    expect(to(a, a)).toBe("");
    expect(to(a, b)).toBe("none destination moves: from https://a.example/x to https://b.example/");
    const query = webhook("https://a.example/x?code=other");
    expect(to(a, query)).toBe("none destination moves: https://a.example/x, with another query");
    const secret = "none destination moves: to another endpoint (sensitive)";
    expect(to(a, b, "webhook_endpoint")).toBe(secret);
    expect(to(a, b, "body")).toBe(secret);
    expect(to(a, webhook("odd"))).toBe(
      "none destination moves: from https://a.example/x to a webhook",
    );
    const later = "moves from https://a.example/x to (known after the apply)";
    for (const next of [webhook(UNKNOWN), target("unknown", "/x"), target("EventHub", UNKNOWN)])
      expect(to(a, next)).toBe(`unknown destination unknown: ${later}`);
  });

  it("needs a role at another place, and a receiver of a queue", () => {
    const queue = target("StorageQueue", QUEUE);
    const moves = (from: string, where: string) =>
      `unknown destination unknown: moves from ${from} to ${where}: its receivers must follow`;
    const [url, there] = ["https://a.example/x", "StorageQueue a/queues/q"];
    expect(to(webhook(), queue)).toBe(moves(url, there));
    expect(to(queue, webhook())).toBe(moves(there, url));
    const elsewhere = target("StorageQueue", QUEUE.replace("/a/", "/b/"));
    expect(to(queue, elsewhere)).toBe(moves(there, "StorageQueue b/queues/q"));
    const site = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/sites/f";
    expect(to(webhook(), target("AzureFunction", `${site}/functions/a`))).toBe(
      `none destination moves: from ${url} to AzureFunction f/functions/a`,
    );
    const identified = { ...queue, identity: SYSTEM };
    expect(to({ ...webhook(), identity: SYSTEM }, identified)).toBe(
      "unknown destination unknown: moves to StorageQueue a/queues/q: its identity needs its role there",
    );
    expect(to(webhook(), target("MonitorAlert", undefined))).toBe(moves(url, "MonitorAlert"));
    const pull = target("Queue", undefined);
    expect(to(pull, webhook())).toBe(
      "lost destination LOST: events are pushed from now on: nothing can be received from the queue",
    );
    expect(to(webhook(), pull)).toBe(
      "unknown destination unknown: events are no longer pushed: they wait for a receiver",
    );
    const text = (destination: Target) =>
      destinationText(changeOf({}, {}), { ...side, destination });
    expect(text(pull)).toBe("the queue orders");
    for (const later of [target("unknown", "/x"), webhook(UNKNOWN)])
      expect(text(later)).toBe("(known after the apply)");
    const moved = { ...webhook("https://b.example/"), identity: SYSTEM };
    expect(to({ ...webhook(), identity: SYSTEM }, moved)).toMatch(/^none destination moves/);
  });

  it("concerns tokens, identities, batches and headers", () => {
    const with_ = (settings: object, next: object) =>
      to(webhook(undefined, settings), webhook(undefined, next));
    const app = (azureActiveDirectoryApplicationIdOrUri: string) => ({
      azureActiveDirectoryApplicationIdOrUri,
    });
    expect(with_(app("a"), app("b"))).toMatch(/^unknown identity .*for another .*accept them,/);
    expect(with_(app("a"), {})).toMatch(/^unknown identity .*no tokens .*accept events without/);
    expect(with_({}, { other: 1 })).toMatch(/^unknown destination .*other settings.*: other$/);
    for (const other of ["resourceIds", "aqueueName"])
      expect(with_({}, { [other]: 1 })).toMatch(`: ${other}`);
    expect(to(webhook(), { ...webhook(), settings: UNKNOWN })).toMatch(/destination change(;|$)/);
    const batch = (maxEventsPerBatch?: number) => ({ maxEventsPerBatch });
    const lists = "events arrive in batches of up to";
    expect(with_(batch(1), {})).toBe("");
    expect(with_(batch(5), batch(1))).toBe("");
    expect(with_({}, batch(2))).toBe(
      `unknown batching unknown: ${lists} 2: the receiver must accept lists`,
    );
    expect(with_(batch(3), batch(2))).toBe(`none batching batching: ${lists} 2`);
    const headers = (...names: string[]) => ({
      deliveryAttributeMappings: names.map((name) => ({ name })),
    });
    expect(with_(headers("a", "b"), headers("b", "a"))).toBe("");
    expect(with_(headers("a"), headers("b"))).toMatch(/^unknown headers unknown: other headers/);
    expect(with_({}, headers("b"))).toBe("");
    const ttl = (queueMessageTimeToLiveInSeconds: number | undefined) => ({
      queueMessageTimeToLiveInSeconds,
    });
    const stay = (next: string, old: string) =>
      `events stay in the queue for ${next} instead of ${old}`;
    const longer = "none destination longer:";
    const shorter = "unknown destination unknown:";
    expect(with_(ttl(5), ttl(6))).toBe(`${longer} ${stay("6 s", "5 s")}`);
    expect(with_(ttl(5), ttl(-1))).toBe(`${longer} ${stay("ever", "5 s")}`);
    expect(with_(ttl(-1), ttl(5))).toBe(`${shorter} ${stay("5 s", "ever")}`);
    expect(with_(ttl(6), ttl(5))).toBe(`${shorter} ${stay("5 s", "6 s")}`);
    expect(with_(ttl(6), {})).toBe(`${shorter} ${stay("the default s", "6 s")}`);
    const queue = target("StorageQueue", QUEUE);
    expect(to(queue, { ...queue, identity: SYSTEM })).toMatch(
      /^unknown identity .*another identity delivers/,
    );
    expect(to({ ...queue, identity: SYSTEM }, queue)).toMatch(/an access key delivers instead/);
  });
});

describe("a change of a limit", () => {
  it("loses events if it is lower, and is not known without numbers", () => {
    const survive = "events survive an outage of";
    for (const [old, next, expected] of [
      [60, 61, `none retries longer: ${survive} 61 min instead of 1 h`],
      [1440, 60, `lost retries LOST: ${survive} 1 h instead of 24 h`],
      [2880, 4320, `none retries longer: ${survive} 3 days instead of 2 days`],
      [2880, 1500, `lost retries LOST: ${survive} 25 h instead of 2 days`],
      [60, UNKNOWN, `unknown retries unknown: ${survive} (known after the apply) instead of 1 h`],
      [undefined, 60, `unknown retries unknown: ${survive} 1 h instead of the default`],
    ] as const) {
      expect(says({ minutes: old }, { minutes: next })).toBe(expected);
    }
    const tries = "to deliver an event instead of";
    expect(says({ attempts: 2 }, { attempts: 1 })).toBe(`lost retries LOST: 1 attempt ${tries} 2`);
    expect(says({ attempts: 1 }, { attempts: 2 })).toBe(
      `none retries longer: 2 attempts ${tries} 1`,
    );
    expect(says({ lock: 60 }, { lock: 61 })).toBe("");
    expect(says({ lock: UNKNOWN }, { lock: 61 })).toMatch(/^unknown retries/);
    expect(says({ lock: 60 }, { lock: 59 })).toBe(
      "unknown retries unknown: consumers have 59 s for an event instead of 60 s",
    );
  });

  it("is later, earlier or none for the expiry, whose offset does not matter", () => {
    const ends = (old: unknown, next: unknown) => says({ expiry: old }, { expiry: next });
    const [at, later] = ["2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z"];
    expect(ends(at, "2027-01-01T01:00:00.000+01:00")).toBe("");
    const after = ": nothing is delivered afterwards";
    expect(ends(at, later)).toBe(`none expiry longer: it expires at ${later}${after}`);
    expect(ends(later, at)).toBe(`lost expiry LOST: it expires at ${at}${after}`);
    expect(ends(undefined, at)).toBe(`lost expiry LOST: it expires at ${at}${after}`);
    expect(ends(at, null)).toBe("none expiry longer: it no longer expires");
    expect(ends(at, UNKNOWN)).toBe("unknown expiry unknown: it expires at (known after the apply)");
    expect(says({ schema: "a" }, { schema: "b" })).toMatch(
      /^unknown schema unknown: events arrive in another schema, b instead of a/,
    );
    expect(says({ schema: "a" }, { schema: null })).toBe("");
  });
});

it("tells what becomes of dead letters", () => {
  const container = (blobContainerName: string, changes: Partial<Target> = {}) =>
    target("StorageBlob", `${ACCOUNT}/${blobContainerName}`, {
      ...{ settings: { blobContainerName }, ...changes },
    });
  const go = (old: Target | undefined, next: Target | undefined) =>
    says({ deadLetters: old }, { deadLetters: next });
  const [a, b] = [container("a"), container("b")];
  expect(go(a, undefined)).toMatch(
    /^lost dead-letters LOST: .*switched off: events that fail for 24 h are/,
  );
  expect(go(undefined, a)).toBe("none dead-letters stored: dead letters are kept from now on");
  expect(go(a, b)).toBe("none dead-letters stored: dead letters go to another container");
  const own = { identity: SYSTEM };
  expect(go(container("a", own), container("b", own))).toBe(
    "unknown dead-letters unknown: dead letters go to another container: its identity needs its role there",
  );
  expect(go(undefined, container("b", own))).toMatch(/^none dead-letters stored/);
  expect(go(a, container("b", { place: UNKNOWN }))).toBe(
    "unknown dead-letters unknown: dead letters go to (known after the apply)",
  );
  expect(go(a, container("a", own))).toMatch(/^unknown identity .*another identity stores dead/);
  expect(go(container("a", own), a)).toMatch(/^unknown identity .*an access key stores dead/);
});

it("does not know what other attributes do, and what the plan does not show", () => {
  const other = (before: object, after: object, change: Partial<PlannedChange> = {}) =>
    says({}, {}, { ...change, before: { ...before }, after: { ...after } });
  const unknown = (names: string) =>
    `unknown plan unknown: ${names}: what the change does is not known to this command`;
  expect(other({ a: 1, b: 2, tags: {} }, { a: 2, c: 3, tags: { x: 1 } })).toBe(unknown("a, b, c"));
  expect(other({ a: null }, {})).toBe("");
  expect(other({}, { a: null })).toBe("");
  const compared = { webhook_endpoint: [1], event_delivery_schema: "a", parentId: "/" };
  expect(other({ name: "a", ...compared }, { name: "b" })).toBe("");
  expect(other({ body: { properties: { x: 1 } } }, { body: { properties: { x: 2 } } })).toBe(
    unknown("x"),
  );
  expect(other({ in_body: { x: 1 } }, { in_body: { x: 2 } })).toBe(unknown("in_body"));
  expect(other({ queued: { x: 1 } }, { queued: { x: 2 } })).toBe(unknown("queued"));
  expect(other({ a: 1 }, { a: UNKNOWN }, { references: () => [] })).toBe("");
  expect(other({ a: 1 }, { a: UNKNOWN }, { references: () => ["b"] })).toBe(unknown("a"));
  expect(other({}, {}, { isHidden: true })).toMatch(/^unknown plan unknown: its sensitive_body/);
  const { before, ...created } = changeOf({}, { minutes: 1 });
  expect(settingsFindings({ ...created, before: undefined })).toEqual([]);
  expect(settingsFindings({ ...created, before, after: undefined })).toEqual([]);
});

describe("a replacement", () => {
  const says = (one: SubscriptionChange) =>
    replacementFindings(one, []).map(
      ({ effect, check, label, message, remedy }) =>
        `${effect} ${check} ${label} ${message} → ${remedy}`,
    );
  const gap =
    "lost replaced REPLACED destroyed, then created: what is published meanwhile is lost →";

  it("loses events unless the new one is created first", () => {
    expect(says(changeOf({}, {}))).toEqual([]);
    const first = { action: "create-delete", replacePaths: ["name", "scope"] } as const;
    const waiting =
      "unknown replaced unknown created, then destroyed, because of name, scope: what the old one has not delivered by then is dropped";
    expect(says(changeOf({}, { name: "new" }, first))).toEqual([`${waiting} → undefined`]);
    expect(says(changeOf({}, { scope: "/u" }, first))).toEqual([`${waiting} → undefined`]);
    expect(says(changeOf({}, {}, first))).toEqual([
      `${waiting}; Azure refuses a second one with this name, so the apply fails; give it another name → undefined`,
    ]);
  });

  it("comes with the way to do without a gap", () => {
    const remedy =
      "create a second event subscription with another name, and destroy this one later";
    const last = { action: "delete-create" } as const;
    expect(says(changeOf({}, {}, last))).toEqual([`${gap} ${remedy}`]);
    const caused = { ...last, replacePaths: ["name"] };
    expect(says(changeOf({}, {}, caused))).toEqual([
      expect.stringMatching(/because of name: .*create a second event subscription/),
    ]);
  });
});

it("compares what azapi writes to a part of a resource, and not where that is", () => {
  const after = { id: "/a", name: "a", parent_id: "/", resource_id: "/a", identity: [], body: {} };
  expect(changedIn(planned({ type: "azapi_update_resource", after }))).toEqual([
    ...["identity", "body"],
  ]);
});

it("says who must answer a handshake", () => {
  const says = (one: SubscriptionChange) => said(handshakeFindings(one));
  const answer = "must answer during the apply";
  const url = "https://a.example/x";
  expect(says(changeOf({}, {}))).toEqual([`none handshake handshake: ${url} ${answer}`]);
  const moved = changeOf({ destination: webhook("https://b.example/") }, {});
  const changes = `none handshake handshake: the endpoint changes: ${url} ${answer}`;
  expect(says(moved)).toEqual([changes]);
  expect(says({ ...moved, before: undefined })).toEqual([
    `none handshake handshake: ${url} ${answer}`,
  ]);
  expect(says(changeOf({}, { destination: target("StorageQueue", QUEUE) }))).toEqual([]);
});

it("says of a replaced topic that it is replaced", () => {
  const replaced = planned({ type: "azurerm_eventgrid_topic", action: "delete-create" });
  expect(destroyedSourceFindings(replaced)).toMatchObject([
    { check: "replaced", label: "REPLACED", effect: "lost" },
  ]);
});
