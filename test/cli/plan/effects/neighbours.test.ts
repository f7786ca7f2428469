import { describe, expect, it } from "vitest";
import { every, isAbout, NEIGHBOURS } from "../../../../cli/src/plan/effects/neighbours.js";
import { type Dependency, EXISTENCE } from "../../../../cli/src/plan/graph/index.js";
import type { PlannedChange, Subscription, Use } from "../../../../cli/src/plan/terraform/index.js";
import { UNKNOWN } from "../../../../cli/src/rules/index.js";

const subscription = (changes: Partial<Subscription>): Subscription => ({
  ...{
    name: "orders",
    scope: "/t",
    isNamespace: false,
    filter: {},
    deadLetters: undefined,
    schema: undefined,
  },
  ...{ expiry: undefined, minutes: 1440, attempts: 30, lock: 60 },
  destination: { type: "WebHook", place: "", identity: undefined, settings: {} },
  ...changes,
});
const source = (after: PlannedChange["after"]): PlannedChange => ({
  ...{ address: "x.topic", type: "azurerm_eventgrid_topic", action: "update", before: {}, after },
  ...{ replacePaths: [], isHidden: false, isImported: false, isSensitive: () => false },
  references: () => undefined,
  origins: () => new Set(),
});

/** The row of the table for an attribute of a resource that has a use. */
function rowOf(type: string, attribute: string, use: Use) {
  const rows = NEIGHBOURS.filter(
    (row) => row.types.test(type) && isAbout(row, attribute) && row.uses.includes(use),
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
}

/** Whether a change of an attribute keeps deliveries. */
function keeping(type: string, attribute: string, use: Use, of: Partial<Dependency> = {}) {
  const row = rowOf(type, attribute, use);
  if (row === undefined) throw new Error(`there is no row for ${attribute} of ${type}`);
  const dependency = { use, check: "destination", by: [], place: "itself", ...of } as const;
  return (old: unknown, next: unknown) => row.keeps(old, next, dependency);
}

describe("a number or a duration", () => {
  it.each([
    ["azurerm_servicebus_queue", "default_message_ttl", "PT1H", "P1D"],
    ["Microsoft.ServiceBus/namespaces/queues", "defaultMessageTimeToLive", "PT1H", "P1D"],
    ["azurerm_servicebus_topic", "max_message_size_in_kilobytes", 256, 1024],
    ["MICROSOFT.SERVICEBUS/namespaces/topics", "maxSizeInMegabytes", 1024, 2048],
    ["azurerm_eventhub", "message_retention", 1, 7],
    ["azurerm_eventhub", "partition_count", 2, 4],
    ["azurerm_servicebus_subscription", "lock_duration", "PT30S", "PT1M"],
    ["Microsoft.ServiceBus/namespaces/topics/subscriptions", "maxDeliveryCount", 1, 10],
    ["Microsoft.EventHub/namespaces/eventhubs", "messageRetentionInDays", 1, 2],
    ["azurerm_eventhub", "retention_description", [{ a: 1, b: 2 }], [{ a: 1, b: 3 }]],
    ["Microsoft.EventHub/namespaces", "sku", { capacity: 1 }, { capacity: 2 }],
  ])("grows without a loss in %s: %s", (type, attribute, less, more) => {
    const keeps = keeping(type, attribute, "target");
    expect(keeps(less, more)).toBe(true);
    expect(keeps(less, less)).toBe(true);
    if (less === "PT1H") expect(keeps(less, "PT60M")).toBe(true);
    expect(keeps(more, less)).toBe(false);
    expect(keeps(less, UNKNOWN)).toBeUndefined();
  });

  it("grows in a topic, too; its retention to the most, and its version of TLS shrinks", () => {
    const topic = (attribute: string) =>
      keeping("azurerm_eventgrid_namespace", attribute, "source");
    expect([topic("capacity")(1, 2), topic("capacity")(2, 1)]).toEqual([true, false]);
    const retention = topic("event_retention_in_days");
    expect([retention(6, 7), retention(UNKNOWN, 7), retention(7, 6)]).toEqual([true, true, false]);
    expect(retention(UNKNOWN, 6)).toBeUndefined();
    expect(rowOf("azurerm_eventgrid_topic", "event_retention_in_days", "source")?.check).toBe(
      "retries",
    );
    const allowed = keeping("Microsoft.EventGrid/topics", "minimumTlsVersionAllowed", "source");
    expect([allowed("1.1", "1.0"), allowed("1.0", "1.1")]).toEqual([true, false]);
    const tls = topic("minimum_tls_version");
    expect([tls("1.2", "1.1"), tls("TLS1_1", "1.2"), tls("1.1", "1.1")]).toEqual([
      ...[true, false, true],
    ]);
  });

  it("is one of several, of which one that shrinks decides, then one that is not known", () => {
    expect(every([true, true])).toBe(true);
    expect(every([])).toBe(true);
    expect(every([true, undefined])).toBeUndefined();
    expect(every([undefined, false, true])).toBe(false);
    const keeps = keeping("azurerm_eventhub", "retention_description", "target");
    expect(keeps([{ a: 2, b: "x" }], [{ a: 1, b: "y" }])).toBe(false);
    expect(keeps([{ a: 1, b: "x" }], [{ a: 1, b: "y" }])).toBeUndefined();
    expect(keeps([{ a: 1 }], [{ a: 1, b: 2 }])).toBeUndefined();
    expect([keeps("x", "x"), keeps("x", "y")]).toEqual([true, undefined]);
    expect(keeps([{ a: 1 }], "y")).toBeUndefined();
    expect(keeps([{ a: 1 }], [UNKNOWN])).toBeUndefined();
  });
});

it("knows the flags that cut off, and those that do not", () => {
  const account = keeping("azurerm_storage_account", "min_tls_version", "target");
  expect([account("TLS1_2", "TLS1_3"), account("TLS1_2", "TLS1_1")]).toEqual([false, true]);
  expect(account("TLS1_3", "TLS1_3")).toBe(true);
  const azapi = keeping("Microsoft.Storage/storageAccounts", "minimumTlsVersion", "target");
  expect(azapi("TLS1_2", "TLS1_3")).toBe(false);
  const dead = "dead_lettering_on_message_expiration";
  const queue = keeping("azurerm_servicebus_queue", dead, "target");
  expect([queue(true, false), queue(true, undefined), queue(true, true)]).toEqual([
    ...[false, false, true],
  ]);
  expect([queue(false, false), queue(undefined, false)]).toEqual([true, true]);
  const api = keeping("azuread_application", "api", "application");
  const version = (requested_access_token_version?: number) => [{ requested_access_token_version }];
  expect([api(version(1), version()), api(version(2), version(2))]).toEqual([true, true]);
  expect([api(version(), version(2)), api(version(2), [])]).toEqual([undefined, undefined]);
  const mapped = (mapped_claims_enabled?: boolean) => [{ mapped_claims_enabled }];
  expect([api(mapped(), mapped(false)), api(mapped(), mapped(true))]).toEqual([true, undefined]);
  const claims = keeping("azuread_application", "optional_claims", "application");
  const of = (token: string, name: string) => [{ [token]: [{ name }] }];
  expect(claims(of("access_token", "upn"), of("access_token", "upn"))).toBe(true);
  expect(claims(of("access_token", "upn"), of("access_token", "groups"))).toBeUndefined();
  expect(claims(of("id_token", "upn"), of("id_token", "groups"))).toBe(true);
  const required = "app_role_assignment_required";
  const principal = keeping("azuread_service_principal", required, "application");
  expect([principal(null, true), principal(true, false)]).toEqual([undefined, true]);
});

it.each([
  ["azurerm_storage_account", "target"],
  ["azurerm_servicebus_namespace", "identity"],
] as const)("keeps an identity of %s that stays beside others", (type, use) => {
  const keeps = keeping(type, "identity", use);
  const has = (...identity_ids: string[]) => [{ type: "UserAssigned", identity_ids }];
  expect(keeps(has("/a"), has("/A", "/b"))).toBe(true);
  expect(keeps(has("/a", "/b"), has("/a"))).toBe(false);
});

it.each<readonly [type: string, attribute: string, use: Use]>([
  ["azurerm_storage_account", "min_tls_version", "target"],
  ["Microsoft.Storage/storageAccounts", "identity", "target"],
  ["microsoft.servicebus/namespaces", "identity", "target"],
  ["azurerm_eventhub_namespace", "capacity", "target"],
  ["Microsoft.EventHub/namespaces", "sku", "target"],
  ["azuread_application", "api", "application"],
  ["azuread_service_principal", "app_role_assignment_required", "application"],
  ["azurerm_private_endpoint", EXISTENCE, "access"],
  ["Microsoft.Network/privateEndpoints", EXISTENCE, "access"],
  ["azurerm_storage_management_policy", "rule", "target"],
])("has a row for %s, and none for types with longer names", (type, attribute, use) => {
  expect(rowOf(type, attribute, use)).toBeDefined();
  for (const other of [`x${type}`, `${type}x`]) {
    expect(rowOf(other, attribute, use)).toBeUndefined();
  }
});

it("has a row for the topics of both providers, and one for each lock and each hub", () => {
  expect(rowOf("x_azurerm_eventgrid_topic", "capacity", "source")).toBeUndefined();
  expect(rowOf("x/managementPoliciesx", "policy", "target")).toBeUndefined();
  expect(rowOf("MICROSOFT.AUTHORIZATION/LOCKS", EXISTENCE, "origin")?.isOpen).toBe(true);
  const hub = keeping("Microsoft.EventHub/namespaces/eventhubs", EXISTENCE, "origin");
  expect([hub({}, undefined), hub({}, {})]).toEqual([false, true]);
});

it.each(["source", "origin", "target"] as const)(
  "asks where Capture writes its files, of a %s",
  (use) => {
    const keeps = keeping("azurerm_eventhub", "capture_description", use);
    const capture = (enabled: boolean, name = "a") => [{ enabled, destination: [{ name }] }];
    expect(keeps(capture(true), [{ ...capture(true)[0], size_limit_in_bytes: 1 }])).toBe(true);
    expect(keeps(capture(true), capture(false))).toBe(false);
    expect(keeps(capture(false), capture(true, "b"))).toBe(true);
    expect(keeps(capture(true), capture(true, "b"))).toBe(false);
  },
);

describe("a way to a topic", () => {
  const closed = source({ public_network_access_enabled: false });
  const endpoint = (connection: string) => ({ private_connection_resource_id: connection });

  it("is kept while it leads to the same, and lost for certain only without public access", () => {
    for (const [name, value] of [
      ["public_network_access_enabled", false],
      ["public_network_access", "disabled"],
      ["publicNetworkAccess", "SecuredByPerimeter"],
    ] as const) {
      const of = { source: source({ [name]: value }) };
      const keeps = keeping("azurerm_private_endpoint", "private_service_connection", "access", of);
      expect(keeps([endpoint("/t")], [{ ...endpoint("/t"), name: "b" }])).toBe(true);
      expect(keeps([endpoint("/t")], [endpoint("/u")])).toBe(false);
      expect(keeps([endpoint("/t")], [])).toBe(false);
    }
    for (const access of ["Enabled", "NotDisabled", "DisabledNot", true, undefined]) {
      const of = { source: source({ public_network_access: access }) };
      const keeps = keeping("Microsoft.Network/privateEndpoints", EXISTENCE, "access", of);
      expect(keeps({}, undefined)).toBeUndefined();
      expect(keeps({}, {})).toBe(true);
    }
    expect(keeping("azurerm_private_endpoint", EXISTENCE, "access")({}, undefined)).toBeUndefined();
    const gone = { source: source(undefined) };
    const ends = keeping("azurerm_private_endpoint", EXISTENCE, "access", gone);
    expect(ends({}, undefined)).toBeUndefined();
  });

  it("is kept by a zone with its addresses, and by a group with its zones", () => {
    const records = keeping("azurerm_private_dns_a_record", "records", "access", {
      source: closed,
    });
    expect(records(["10.0.0.1"], ["10.0.0.2", "10.0.0.1"])).toBe(true);
    expect(records(["10.0.0.1", "10.0.0.2"], ["10.0.0.2"])).toBe(false);
    expect(records(null, ["10.0.0.2"])).toBe(true);
    const record = keeping("azurerm_private_dns_mx_record", "record", "access", { source: closed });
    expect([record(["a"], ["b", "a"]), record(["a"], ["b"])]).toEqual([true, false]);
    const group = keeping("azurerm_private_endpoint", "private_dns_zone_group", "access", {
      ...{ source: closed },
    });
    expect(group([{ private_dns_zone_ids: ["/z"] }], [{ private_dns_zone_ids: ["/y"] }])).toBe(
      false,
    );
    expect(group([{}], [{ private_dns_zone_ids: ["/y"] }])).toBe(true);
  });
});

describe("a lifecycle rule", () => {
  const place = "/a/blobServices/default/containers/dead";
  const deadLetters = { type: "StorageBlob", place, identity: undefined, settings: {} };
  const of = { check: "dead-letters", subscription: subscription({ deadLetters }) } as const;
  const POLICY = "azurerm_storage_management_policy";
  const rule = (prefix_match: unknown, enabled?: boolean) => ({
    enabled,
    filters: [{ prefix_match }],
  });

  it("may delete what it did not, unless it is for others or off", () => {
    const keeps = keeping(POLICY, "rule", "target", of);
    for (const prefix of ["dead", "dead/", "dead/x", "d", ""]) {
      expect({ prefix, is: keeps([], [rule([prefix])]) }).toEqual({ prefix, is: false });
      expect(keeps([], [rule([prefix], false)])).toBe(true);
      expect(keeps([rule([prefix])], [rule([prefix])])).toBe(true);
    }
    for (const prefix of ["deadly", "logs/", "eth"]) expect(keeps([], [rule([prefix])])).toBe(true);
    expect(keeps([], [rule(["logs/", "dead/"])])).toBe(false);
    expect(keeps([], [{ enabled: true }])).toBe(false);
    expect(keeps([rule(["dead"])], [])).toBe(true);
    expect(keeps([], UNKNOWN)).toBeUndefined();
    expect(keeps([], [UNKNOWN])).toBeUndefined();
    expect(keeps([], [rule(UNKNOWN)])).toBeUndefined();
    expect(keeping(POLICY, "rule", "target")([], [rule([])])).toBe(true);
    const later = subscription({ deadLetters: { ...deadLetters, place: UNKNOWN } });
    const somewhere = keeping(POLICY, "rule", "target", { ...of, subscription: later });
    expect(somewhere([], [rule(["logs/"])])).toBeUndefined();
    expect(somewhere([rule(["logs/"])], [])).toBe(true);
  });

  it("is found in a resource of azurerm, of azapi, and in an attribute", () => {
    const exists = keeping(POLICY, EXISTENCE, "target", of);
    expect(exists(undefined, { rule: [rule(["dead"])] })).toBe(false);
    expect(exists(undefined, { rule: [rule(["logs"])] })).toBe(true);
    expect(exists({ rule: [rule(["dead"])] }, undefined)).toBe(true);
    expect(exists(undefined, { storage_account_id: "/a" })).toBe(true);
    const policy = keeping(
      "Microsoft.Storage/storageAccounts/managementPolicies",
      "policy",
      "target",
      of,
    );
    const azapi = (...prefixMatch: string[]) => ({
      rules: [{ definition: { filters: { prefixMatch } } }],
    });
    expect(policy({ rules: [] }, azapi("dead"))).toBe(false);
    expect(policy({ rules: [] }, azapi("logs"))).toBe(true);
    const written = keeping(
      "Microsoft.Storage/storageAccounts/managementPolicies",
      EXISTENCE,
      "target",
      of,
    );
    expect(written(undefined, { policy: azapi("dead") })).toBe(false);
    expect(written(undefined, { policy: azapi("logs") })).toBe(true);
  });
});

describe("what events are of", () => {
  it("ends with its container, unless the subscription is for another one", () => {
    const keeps = (begin: unknown, name = "files") => {
      const filter = { subjectBeginsWith: begin };
      const of = { subscription: subscription({ filter }) };
      return keeping("azurerm_storage_container", EXISTENCE, "source", of)({ name }, undefined);
    };
    const container = "/blobServices/default/containers";
    expect(keeps(`${container}/other/`)).toBe(true);
    expect(keeps(`${container}/OTHER/x`)).toBe(true);
    expect(keeps(`${container}/files/x`)).toBeUndefined();
    expect(keeps(`${container}/Files/`)).toBeUndefined();
    expect(keeps(`${container}/fil`)).toBeUndefined();
    expect(keeps(undefined)).toBeUndefined();
    expect(keeps("/other/")).toBeUndefined();
    const source = keeping("azurerm_storage_container", EXISTENCE, "source");
    expect(source({ name: "files" }, undefined)).toBe(true);
    const other = { subscription: subscription({}) };
    const stays = keeping("azurerm_storage_container", EXISTENCE, "origin", other);
    expect(stays({ name: "files" }, {})).toBe(true);
  });

  it("ends with the resource that raises them", () => {
    const keeps = keeping("azurerm_key_vault", EXISTENCE, "origin");
    expect([keeps({}, undefined), keeps(undefined, {})]).toEqual([false, true]);
    const below = keeping("azurerm_key_vault", EXISTENCE, "origin", { place: "below" });
    expect([below({}, undefined), below(undefined, {})]).toEqual([undefined, true]);
  });
});

it.each(["source", "target", "identity", "origin"] as const)(
  "warns of a lock that keeps the keys of a %s from being read, and of none that ends",
  (use) => {
    const keeps = keeping("azurerm_management_lock", "lock_level", use);
    expect([keeps(undefined, "CanNotDelete"), keeps("CanNotDelete", "ReadOnly")]).toEqual([
      ...[true, false],
    ]);
    for (const level of ["CanNotDeleteX", "XCanNotDelete"]) expect(keeps("", level)).toBe(false);
    expect(keeping("Microsoft.Authorization/locks", "level", use)("", "ReadOnly")).toBe(false);
    const exists = keeping("azurerm_management_lock", EXISTENCE, use);
    expect(exists({ lock_level: "ReadOnly" }, undefined)).toBe(true);
    expect(exists(undefined, { lock_level: "canNotDelete" })).toBe(true);
    expect(exists(undefined, { level: "CanNotDelete" })).toBe(true);
    expect(exists(undefined, { level: "ReadOnly" })).toBe(false);
  },
);
