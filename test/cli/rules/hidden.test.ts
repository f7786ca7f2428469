import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Answer,
  applicationVerdicts,
  audience,
  clientNetwork,
  Doubt,
  type Known,
  type List,
  type Resource,
  type RoleAssignment,
  ruling,
  sourceVerdicts,
  targetVerdicts,
  UNKNOWN,
  unknown,
  type Verdict,
  type World,
  yes,
} from "../../../cli/src/rules/index.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const TOPIC = `${GROUP}/Microsoft.EventGrid/topics/t`;
const USER = `${GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/u`;
const ACCOUNT = `${GROUP}/Microsoft.Storage/storageAccounts/a`;
const BUS = `${GROUP}/Microsoft.ServiceBus/namespaces/b`;
const HUBS = `${GROUP}/Microsoft.EventHub/namespaces/h`;
const SIGNALR = `${GROUP}/Microsoft.SignalRService/SignalR/s`;
const SYSTEM_TOPIC = `${GROUP}/Microsoft.EventGrid/systemTopics/t`;
const GRID = "event-grid";
const APPLICATION = "orders";
const HIDDEN = new Doubt("unread", "a part");

const places = {
  StorageBlob: `${ACCOUNT}/blobServices/default/containers/c`,
  StorageQueue: `${ACCOUNT}/queueServices/default/queues/q`,
  ServiceBusQueue: `${BUS}/queues/q`,
} as const;

const KINDS = [
  ...["StorageV2", "Storage", "FileStorage", "BlobStorage", "blockblobstorage"],
  ...["XFileStorage", "FileStorageX"],
] as const;
const access = fc.constantFrom("Enabled", "Disabled", "SecuredByPerimeter", undefined);
const action = fc.constantFrom("Allow", "Deny", undefined);
const rule = fc.constantFrom(TOPIC, `${GROUP}/Microsoft.EventGrid/topics/*`, USER);
const role = fc.record({
  scope: fc.constantFrom("/subscriptions/s", ACCOUNT, BUS, `${ACCOUNT}x`),
  actions: fc.constantFrom("*", "Microsoft.Storage/*", "Microsoft.ServiceBus/*/send/action"),
  excluded: fc.constantFrom([], ["*/write"]),
  principal: fc.constantFrom("system", "user", "group"),
  hasCondition: fc.constantFrom(false, false, false, true),
});
const drawn = fc.record({
  type: fc.constantFrom("StorageBlob", "StorageQueue", "ServiceBusQueue"),
  identity: fc.constantFrom(
    undefined,
    { type: "SystemAssigned" },
    { type: "UserAssigned", userAssignedIdentity: USER },
  ),
  account: fc.record({
    kind: fc.constantFrom(...KINDS),
    properties: fc.record({
      allowSharedKeyAccess: fc.constantFrom(true, false, undefined),
      publicNetworkAccess: access,
      networkAcls: fc.record({
        defaultAction: action,
        bypass: fc.constantFrom("None", "AzureServices", undefined),
        resourceAccessRules: fc.array(fc.record({ resourceId: rule }), { maxLength: 2 }),
      }),
    }),
  }),
  source: fc.constantFrom(ACCOUNT, BUS, HUBS, SIGNALR),
  mode: fc.constantFrom("Default", "Serverless"),
  bus: fc.record({
    sku: fc.record({ name: fc.constantFrom("Basic", "Standard", "Premium") }),
    properties: fc.record({ disableLocalAuth: fc.boolean(), publicNetworkAccess: access }),
  }),
  ruleSet: fc.record({
    properties: fc.record({
      defaultAction: action,
      trustedServiceAccessEnabled: fc.constantFrom(true, false, undefined),
    }),
  }),
  status: fc.constantFrom("Active", "Disabled", "SendDisabled", "ReceiveDisabled"),
  attached: fc.constantFrom(
    undefined,
    { type: "SystemAssigned", principalId: "system" },
    { type: "UserAssigned", userAssignedIdentities: { [USER]: {} } },
  ),
  inboundIpRules: fc.constantFrom(
    undefined,
    ...[["10.0.0.0/8"], ["10.0.0.0/8", "20.0.0.0/8"], ["10.0.0.0/0"]].map((masks) =>
      masks.map((ipMask) => ({ ipMask })),
    ),
  ),
  topicAccess: access,
  endpoints: fc.array(fc.boolean(), { maxLength: 2 }),
  roles: fc.array(role, { maxLength: 3 }),
  member: fc.boolean(),
  enabled: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  members: fc.constantFrom(["Application"], ["User"], ["User", "Application"]),
  assigned: fc.boolean(),
  missing: fc.constantFrom(undefined, places.StorageBlob, USER, APPLICATION, GRID),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** What of a world is hidden: a resource, a list, or the value at a path inside of a resource. */
type Hidden = readonly string[];
const hidings: fc.Arbitrary<Hidden> = fc.constantFrom(
  ...[ACCOUNT, BUS, `${BUS}/networkRuleSets/default`, TOPIC, USER].map((id) => [id]),
  [SYSTEM_TOPIC],
  [SYSTEM_TOPIC, "properties", "source"],
  [SIGNALR, "properties", "features"],
  [BUS, "sku"],
  [BUS, "sku", "name"],
  [ACCOUNT, "kind"],
  [ACCOUNT, "properties"],
  ...["allowSharedKeyAccess", "publicNetworkAccess", "networkAcls"].map((name) => [
    ...[ACCOUNT, "properties", name],
  ]),
  ...["defaultAction", "bypass", "resourceAccessRules"].map((name) => [
    ...[ACCOUNT, "properties", "networkAcls", name],
  ]),
  ...["disableLocalAuth", "publicNetworkAccess"].map((name) => [BUS, "properties", name]),
  ...["defaultAction", "trustedServiceAccessEnabled"].map((name) => [
    ...[`${BUS}/networkRuleSets/default`, "properties", name],
  ]),
  [places.ServiceBusQueue, "properties", "status"],
  [TOPIC, "identity"],
  [TOPIC, "properties", "publicNetworkAccess"],
  [TOPIC, "properties", "inboundIpRules"],
  [TOPIC, "identity", "userAssignedIdentities"],
  [TOPIC, "identity", "principalId"],
  [USER, "properties", "principalId"],
  ["roles"],
  ["role"],
  ["scope"],
  ["group"],
  ["endpoints"],
  [APPLICATION],
  [GRID],
  ["app roles"],
  ["members"],
  ["enabled"],
  ["assignments"],
);

function without(body: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return UNKNOWN;
  return body === undefined
    ? undefined
    : { ...Object(body), [name]: without(Object(body)[name], rest) };
}

/** A complete world, of which one part may be hidden. */
class DrawnWorld implements World {
  readonly #bodies: Readonly<Record<string, unknown>>;

  constructor(
    readonly drawn: Drawn,
    readonly hidden: Hidden = [],
  ) {
    const { account, bus, ruleSet, status, attached, inboundIpRules, topicAccess } = drawn;
    const { mode, source } = drawn;
    this.#bodies = {
      [ACCOUNT]: account,
      [BUS]: bus,
      [HUBS]: { sku: bus.sku },
      [SIGNALR]: { properties: { features: [{ flag: "ServiceMode", value: mode }] } },
      [SYSTEM_TOPIC]: { properties: { source } },
      [`${BUS}/networkRuleSets/default`]: ruleSet,
      [places.StorageBlob]: {},
      [places.StorageQueue]: {},
      [places.ServiceBusQueue]: { properties: { status } },
      [USER]: { properties: { principalId: "user" } },
      [TOPIC]: {
        identity: attached,
        properties: { publicNetworkAccess: topicAccess, inboundIpRules },
      },
    };
  }

  readonly systemTopicOf = async () => undefined;

  #isHidden(what: string): boolean {
    return this.hidden.length === 1 && this.hidden[0] === what;
  }

  #list<T>(what: string, items: readonly T[]): List<T> {
    return this.#isHidden(what) ? { items: [], rest: HIDDEN } : { items };
  }

  async resource(id: string): Promise<Known<Resource | undefined>> {
    if (this.#isHidden(id)) return HIDDEN;
    const body = this.#bodies[id];
    if (body === undefined || this.drawn.missing === id) return undefined;
    const [of, ...path] = this.hidden;
    return { id, witnesses: [id], body: of === id ? without(body, path) : body };
  }

  async roleAssignments(principal: Known<string>, _: string, through: "itself" | "groups") {
    if (principal instanceof Doubt) return { items: [], rest: principal };
    const held = (of: string): Answer | undefined => {
      if (through === "itself") return of === principal ? yes() : undefined;
      if (of !== "group") return undefined;
      return this.#isHidden("group") ? unknown(HIDDEN) : this.drawn.member ? yes() : undefined;
    };
    const items = this.drawn.roles.flatMap((one): RoleAssignment[] => {
      const isHeld = held(one.principal);
      if (isHeld === undefined) return [];
      const permissions = [{ dataActions: [one.actions], notDataActions: one.excluded }];
      const role = this.#isHidden("role") ? HIDDEN : { id: "r", permissions };
      const scope = this.#isHidden("scope") ? HIDDEN : one.scope;
      return [{ isHeld, scope, role, hasCondition: one.hasCondition }];
    });
    return this.#list("roles", items);
  }

  async privateEndpoints() {
    const items = this.drawn.endpoints.map((isApproved) => ({ isApproved, witness: "endpoint" }));
    return this.#list("endpoints", items);
  }

  async application(name: string) {
    return this.#isHidden(name)
      ? HIDDEN
      : { clientId: name, identifierUris: { items: [] }, tokenVersion: 2, witnesses: [] };
  }

  async principal(name: string) {
    const { missing, enabled, members } = this.drawn;
    if (this.#isHidden(name)) return HIDDEN;
    if (missing === name) return undefined;
    const [own, grid, role] = enabled;
    const known = <T>(what: string, value: T) => (this.#isHidden(what) ? HIDDEN : value);
    const appRole = {
      ...{ id: "1", value: "AzureEventGridSecureWebhookSubscriber", witnesses: [] },
      isEnabled: known("enabled", role),
      memberTypes: known("members", members),
    };
    return {
      ...{ id: name, name, witnesses: [], appRoles: this.#list("app roles", [appRole]) },
      isEnabled: known("enabled", name === GRID ? grid : own),
    };
  }

  async appRoleAssignments() {
    const item = { principalId: GRID, appRoleId: "1", witness: "assignment" };
    return this.#list("assignments", this.drawn.assigned ? [item] : []);
  }

  async owners() {
    return { items: [] };
  }
}

async function verdictsOf(world: DrawnWorld): Promise<Verdict[]> {
  const { type, identity } = world.drawn;
  const target = { type, place: places[type], identity, settings: {} };
  const topic = await world.resource(TOPIC);
  return [
    ...(await targetVerdicts(world, "destination", target, TOPIC)),
    ...(await sourceVerdicts(world, SYSTEM_TOPIC)),
    ...(await applicationVerdicts(world, APPLICATION, GRID)).verdicts,
    topic === undefined || topic instanceof Doubt
      ? ruling("publishers", "network", TOPIC).unknown(HIDDEN)
      : await clientNetwork(world, topic),
  ];
}

const RANK = ["ok", "warning", "unknown", "failed"] as const;

/** The worst verdict of each part. */
function worstOf(verdicts: readonly Verdict[]) {
  const parts = new Map<string, Verdict["status"]>();
  for (const { part, status } of verdicts) {
    const known = parts.get(part) ?? "ok";
    parts.set(part, RANK.indexOf(status) > RANK.indexOf(known) ? status : known);
  }
  return parts;
}

it("says what it says of the whole world, or unknown, when a part of that is hidden", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, hidings, async (one, hidden) => {
      const whole = await verdictsOf(new DrawnWorld(one));
      const found = await verdictsOf(new DrawnWorld(one, hidden));
      for (const { part, rule, status, subject, doubt } of found) {
        const other = whole.find(
          (each) => each.part === part && each.rule === rule && each.subject === subject,
        );
        const isEndpoints = hidden[0] === "endpoints" && part === "publishers";
        if (isEndpoints && doubt) expect(doubt.why).toMatch(/^(unread|perimeter)$/);
        if (status === "unknown" || other === undefined) continue;
        expect({ one, hidden, part, rule, status }).toMatchObject({ status: other.status });
      }
      const open = found.flatMap(({ part, doubt }): string[] => (doubt ? [part] : []));
      const actual = worstOf(whole);
      const seen = worstOf(found);
      for (const part of new Set([...seen.keys(), ...actual.keys()])) {
        if (open.includes(part)) continue;
        const status = seen.get(part) ?? "ok";
        expect({ one, hidden, part, status }).toMatchObject({ status: actual.get(part) ?? "ok" });
      }
    }),
    { numRuns: 1500 },
  );
});

/** What the local Azure does not know of: the status of each part, or of one rule of it. */
function documented(one: Drawn): Readonly<Record<string, string>> {
  const { account, bus, endpoints, inboundIpRules = [], topicAccess } = one;
  const silent = {
    [ACCOUNT]: ["Storage", "FileStorage"].includes(account.kind),
    [BUS]: bus.sku.name !== "Premium",
    [HUBS]: bus.sku.name === "Basic",
    [SIGNALR]: one.mode === "Default",
  };
  const masks = inboundIpRules.map(({ ipMask }) => ipMask);
  const inside = masks.join() === "10.0.0.0/8";
  const some = inside ? "failed private-addresses" : "warning only-addresses";
  const byAddress = masks.length > 0 ? some : "ok network";
  const privately = endpoints.includes(true) ? "warning private-only" : "failed no-way-in";
  const byAccess = {
    Enabled: byAddress,
    Disabled: privately,
    SecuredByPerimeter: "unknown",
  } as const;
  const hasPrincipals = one.missing !== APPLICATION && one.missing !== GRID;
  const getsTokens =
    hasPrincipals &&
    one.enabled.every((is) => is) &&
    one.assigned &&
    new Set<string>(one.members).has("Application");
  const holds = {
    StorageBlob: /^(?!FileStorage$)/,
    StorageQueue: /^(Storage(V2)?|XFileStorage|FileStorageX)$/,
    ServiceBusQueue: /./,
  };
  const isThere = one.missing !== places[one.type];
  return {
    source: silent[one.source] ? "failed" : "ok",
    publishers: byAccess[topicAccess ?? "Enabled"],
    application: getsTokens ? "ok" : "failed",
    kind: !isThere || holds[one.type].test(account.kind) ? "ok" : "failed",
  };
}

it("says of kinds, tiers, clients and tokens what Microsoft's pages say", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (one) => {
      const verdicts = await verdictsOf(new DrawnWorld(one));
      const parts = worstOf(verdicts);
      const kinds = worstOf(
        verdicts.filter(({ part, rule }) => part === "destination" && rule === "kind"),
      );
      const clients = verdicts.find(({ part }) => part === "publishers");
      const { status, code } = clients ?? {};
      const publishers = status === "unknown" ? status : `${status} ${code}`;
      const said = {
        ...{ source: parts.get("source"), publishers },
        ...{ application: parts.get("application"), kind: kinds.get("destination") ?? "ok" },
      };
      expect({ one, ...said }).toEqual({ one, ...documented(one) });
    }),
    { numRuns: 500 },
  );
});

it("takes the audience of version 2, or the client ID", () => {
  const [own, other] = ["api://orders", "api://other"];
  const found = fc.record({
    ...{ clientId: fc.constant("id"), witnesses: fc.constant([]) },
    identifierUris: fc.constantFrom<List<string>[]>(
      { items: [] },
      { items: [other, own] },
      { items: [], rest: HIDDEN },
    ),
    tokenVersion: fc.constantFrom(1, 2, HIDDEN),
  });
  fc.assert(
    fc.property(
      fc.option(found, { nil: undefined }),
      fc.constantFrom("ID", own),
      (one, requested) => {
        const [uris, version] = [one?.identifierUris, one?.tokenVersion];
        const isOwn = uris?.items.includes(own) === true;
        const isOpen = uris?.rest !== undefined || (isOwn && version === HIDDEN);
        const expected =
          requested === "ID" || (isOwn && version === 2) ? "ok" : isOpen ? "unknown" : "failed";
        const { status, code } = audience(one, requested, "id");
        expect({ one, status }).toEqual({ one, status: expected });
        const why = isOwn ? "version-1" : "other-application";
        if (status === "failed") expect({ one, code }).toEqual({ one, code: why });
      },
    ),
  );
});
