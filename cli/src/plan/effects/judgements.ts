import { Groups, present } from "../../collections.js";
import {
  admitsAll,
  all,
  applicationVerdicts,
  audienceOf,
  clientKeys,
  clientNetwork,
  Doubt,
  type Part,
  permission,
  READING,
  RIGHTS,
  type Right,
  type RuleName,
  ruling,
  sourceVerdicts,
  targetVerdicts,
  type Verdict,
} from "../../rules/index.js";
import { type Finding, lost, named, unknown } from "../finding.js";
import type { AlikeSubscriptions } from "../graph/index.js";
import {
  idOf,
  isChanging,
  isWithin,
  kindOf,
  type PlannedChange,
  type Subscription,
  type SubscriptionChange,
  value,
} from "../terraform/index.js";
import {
  ANYBODY,
  EVENT_GRID,
  holderOf,
  isRegranted,
  isRoleDefinition,
  type Moment,
  membersIn,
  PlanWorld,
  principalsOf,
  Resources,
} from "../worlds/index.js";
import { judgedChanges } from "./resources.js";

/** The verdicts about one subject at one moment. */
type Judge = (world: PlanWorld) => Promise<readonly Verdict[]>;

/** Something that a plan may take away. */
interface Need {
  /** Who needs it: the names, and the event subscriptions to report it with where nothing else changes. */
  readonly by: readonly (readonly [name: string, subscription?: PlannedChange])[];
  readonly judge: Judge;
}

/** Reports whether a resource gives roles to others than it names. */
const isGranting = (change: PlannedChange) =>
  ["azuread_group", "azuread_privileged_access_group"].some((each) =>
    change.type.startsWith(each),
  ) || isRoleDefinition(change);

/** Finds the rules that hold before the apply, and not while it runs or afterwards. */
export class Judgements {
  readonly #findings = new Groups<PlannedChange, readonly [Finding, by: readonly string[]]>();

  static async of(
    changes: readonly PlannedChange[],
    subscriptions: readonly SubscriptionChange[],
    groups: readonly AlikeSubscriptions[],
  ): Promise<Judgements> {
    const judgements = new Judgements();
    const resources = new Resources(changes);
    const worlds = {
      before: new PlanWorld(resources, "before"),
      during: new PlanWorld(resources, "during"),
      after: new PlanWorld(resources, "after"),
    };
    const byAddress = new Map(changes.map((change) => [change.address, change]));
    for (const { before, after, by } of groups) {
      const side = (moment: Moment) => (moment === "before" ? before : after);
      const judge: Judge = (world) => deliveryVerdicts(world, side(world.moment));
      await judgements.#compare({ by, judge }, worlds, byAddress);
    }
    for (const need of [...clientNeeds(changes), ...rightsAtRisk(resources, subscriptions)]) {
      await judgements.#compare(need, worlds, byAddress);
    }
    return judgements;
  }

  findings(change: PlannedChange): Finding[] {
    return named(this.#findings.of(change), change.address);
  }

  async #compare(
    { by, judge }: Need,
    worlds: Readonly<Record<Moment, PlanWorld>>,
    changes: ReadonlyMap<string, PlannedChange>,
  ): Promise<void> {
    const before = await judge(worlds.before);
    const after = await judge(worlds.after);
    const during = await judge(worlds.during);
    for (const next of after) {
      const old = before.find(isOf(next)) ?? unasked(before, next);
      const between = during.find((each) => isSame(each, next));
      if (old === undefined) continue;
      const names = [...new Set([...old.witnesses, ...next.witnesses])];
      const changed = present(names.map((address) => changes.get(address)));
      const effect = effectOf(old, next, between, changed);
      if (effect === undefined) continue;
      const touched = changed.filter(({ action }) => action !== "no-op");
      const existing = touched.filter(({ action }) => action !== "create");
      const finding = findingOf(old, next, effect);
      for (const culprit of existing.length > 0 ? existing : touched) {
        const shown = judgedChanges(culprit, RULE_ATTRIBUTES[next.rule] ?? /./);
        const message = `${finding.message}${shown === "" ? "" : ` (${shown})`}`;
        this.#findings.add(culprit, [{ ...finding, message }, by.map(([name]) => name)] as const);
      }
      for (const [name, subscription] of touched.length > 0 ? [] : by) {
        if (subscription) this.#findings.add(subscription, [finding, [name]] as const);
      }
    }
  }
}

const isOf =
  ({ rule, part }: Pick<Verdict, "rule" | "part">) =>
  (one: Verdict) =>
    one.rule === rule && one.part === part;

/**
 * The verdict of a rule that nothing was asked of before: about what only the change shows, such as the
 * network of an account in another plan, or about what was not needed, such as keys.
 */
function unasked(before: readonly Verdict[], next: Verdict): Verdict | undefined {
  const { part, rule } = next;
  const exists = before.find((one) => isSame(one, { ...next, rule: "exists" }));
  if (exists?.doubt) return { ...next, status: "unknown", code: rule, doubt: exists.doubt };
  const isNew = isAgainst(next) && before.some((one) => one.part === part);
  return isNew ? { ...next, status: "ok", code: rule, witnesses: [] } : undefined;
}

/** Says something against a delivery; that the plan does not have a resource is nothing. */
const isAgainst = ({ status, doubt }: Verdict) => status !== "ok" && doubt?.why !== "open";

const isSame = (a: Verdict, b: Verdict) =>
  a.part === b.part && a.rule === b.rule && a.subject === b.subject;

async function deliveryVerdicts(world: PlanWorld, side: Subscription): Promise<Verdict[]> {
  const { destination, deadLetters, scope } = side;
  const audience = audienceOf(destination);
  const used = (part: Part) => ruling(part, "used", "").ok();
  const verdicts = [
    ...[used("destination"), used("application"), used("source")],
    ...(deadLetters ? await targetVerdicts(world, "dead-letters", deadLetters, scope) : []),
    ...(await targetVerdicts(world, "destination", destination, scope)),
    ...(typeof audience === "string"
      ? (await applicationVerdicts(world, audience, EVENT_GRID)).verdicts
      : []),
    ...(typeof scope === "string" ? await sourceVerdicts(world, scope) : []),
  ];
  // That what a subscription names is destroyed is reported with the subscription.
  return verdicts.filter(({ rule, status }) => rule !== "exists" || status === "unknown");
}

/** Who can connect to topics and namespaces. */
function clientNeeds(changes: readonly PlannedChange[]): Need[] {
  return changes
    .filter((change) => kindOf(change) === "source")
    .map((change) => ({
      by: [[change.address]],
      judge: async (world) => {
        const id = idOf(change.before?.id);
        const topic = typeof id === "string" ? await world.resource(id) : undefined;
        if (topic === undefined || topic instanceof Doubt) return [];
        return [await clientNetwork(world, topic), clientKeys(topic)];
      },
    }));
}

/** The rights of publishers, consumers and writers that a plan may take away. */
function rightsAtRisk(resources: Resources, subscriptions: readonly SubscriptionChange[]): Need[] {
  const changed = resources.changes.filter(isChanging);
  const signIns = changed.flatMap((change) => resources.signInsWith(change));
  const signing = signIns.map(({ principal }) => principal);
  // Whose roles a group or a definition changes, only all assignments tell.
  const isShared = changed.some(isGranting) || signing.includes(ANYBODY);
  const isChanged = new Set(changed);
  const members = changed.flatMap(membersIn).map((id) => String(id).toLowerCase());
  const principals = new Set([
    ...changed.flatMap((change) => principalsOf(change, change.before)),
    ...members,
    ...signing,
  ]);
  const assignments = resources.assignments.flatMap((each) => {
    const { before, address } = each;
    if (before === undefined) return [];
    const holder = holderOf(before);
    const isAtRisk = isShared || isChanged.has(each) || principals.has(holder);
    return isAtRisk ? [{ before, address, holder }] : [];
  });
  for (const { holder } of assignments) if (holder !== ANYBODY) principals.add(holder);
  const places = placesOf(resources, subscriptions);
  // Topics of other plans are known by the roles there.
  const known = [...places.keys()];
  for (const { before, address, holder } of assignments) {
    const id = idOf(value(before, "scope") ?? before.parent_id);
    if (typeof id !== "string") continue;
    const { principals: own } = places.get(id) ?? {};
    if (own !== undefined) own.add(holder);
    else if (!known.some((place) => isWithin(place, id) || isWithin(id, place))) {
      places.set(id, {
        id,
        by: address,
        rights: rightsAt(id),
        principals: new Set([holder, ...members]),
      });
    }
  }
  // The rights of those that deliver are asked for where they deliver to.
  const isClient = (id: string) =>
    !resources.byPrincipal.of(id).some((each) => kindOf(each) === "source");
  return [...places.values()].flatMap((place) =>
    [...(place.principals ?? principals)].filter(isClient).map((principal) => ({
      by: [[place.by]],
      judge: (world) => clientRights(world, place, principal),
    })),
  );
}

/** Where publishers, consumers and writers of event subscriptions need rights. */
function placesOf(resources: Resources, subscriptions: readonly SubscriptionChange[]) {
  const places = new Map<string, Place>();
  for (const source of resources.changes) {
    const id = kindOf(source) === "source" ? idOf(source.before?.id) : undefined;
    if (typeof id === "string")
      places.set(id, { id, by: source.address, source, rights: rightsAt(id) });
  }
  for (const { before, after, change } of subscriptions) {
    if (before === undefined || after === undefined) continue;
    const { scope, destination, name: by } = after;
    if (typeof scope === "string") {
      const known = places.get(scope) ?? { id: scope, by, rights: rightsAt(scope) };
      const isWritten = change.action !== "no-op" && !known.rights.includes(WRITE);
      places.set(scope, { ...known, rights: [...known.rights, ...(isWritten ? [WRITE] : [])] });
    }
    const reading = READING[destination.type];
    if (reading !== undefined && typeof destination.place === "string") {
      const id = String(idOf(destination.place));
      places.set(id, { id, by, rights: [["read what is delivered", reading]] });
    }
  }
  return places;
}

/** Where principals have rights. */
interface Place {
  readonly id: string;
  readonly by: string;
  readonly rights: readonly (readonly [does: string, right: Right])[];
  readonly source?: PlannedChange | undefined;
  /** Whose rights are judged; everybody's if it is missing. */
  readonly principals?: Set<string>;
}

/** Clients receive from namespaces only. */
const rightsAt = (id: string): Place["rights"] => [
  ["publish", RIGHTS.publish],
  ...(TOPIC.test(id) ? [] : [["receive", RIGHTS.receive] as const]),
];
const TOPIC = /\/Microsoft\.EventGrid\/(topics|domains|systemTopics|partnerTopics)\//i;
const WRITE: Place["rights"][number] = ["write event subscriptions", RIGHTS.subscribe];

async function clientRights(
  world: PlanWorld,
  { id, rights, source }: Place,
  principal: string,
): Promise<Verdict[]> {
  const side = source?.after ?? source?.before;
  const isOnlyWay = side?.local_auth_enabled === false || side?.disableLocalAuth === true;
  return Promise.all(
    rights.map(async ([does, right]) => {
      const may = await permission(world, principal, id, right);
      const signIn = world.signIn(principal);
      const isOut = may.is === "yes" && signIn.is !== "yes";
      const facts = { principal, does: isOut ? `sign in to ${does}` : does };
      const rule = ruling("publishers", `role ${does}`, `${principal} ${id} ${does}`, facts);
      return rule.of(all([may, signIn]), "may-not", isOnlyWay ? { isOnlyWay: "true" } : {});
    }),
  );
}

/** An effect, which may pass by. */
type Effect = "lost" | "unknown" | "unknown for a moment";

/**
 * The effect of a changed verdict; undefined if it loses nothing.
 *
 * @param changes of what decides the verdicts
 */
function effectOf(
  old: Verdict,
  next: Verdict,
  during: Verdict | undefined,
  changes: readonly PlannedChange[],
): Effect | undefined {
  if (old.status === "failed") return undefined;
  const isSure = old.status !== "unknown";
  // Clients are asked for one by one: a group that one may be in is another one.
  if (!isSure && old.part === "publishers" && old.doubt?.why === "open") return undefined;
  if (next.status === "failed") return isSure ? "lost" : "unknown";
  if (!isSame(old, next)) return isAgainst(next) ? "unknown" : undefined;
  if (next.status === "unknown") {
    const known = new Set(next.witnesses);
    const isShown = next.doubt?.why !== "open" || next.witnesses.length > 0;
    if (isSure) return isShown ? "unknown" : "lost";
    const isGone = old.witnesses.some((each) => !known.has(each));
    const isLater = next.doubt?.why === "later" && old.doubt?.why !== "later";
    const isOther = changes.some((each) => kindOf(each) === "role" && isRegranted(each));
    const isOtherNetwork = next.rule === "network" && next.doubt?.why !== old.doubt?.why;
    return isGone || isLater || isOther || isOtherNetwork ? "unknown" : undefined;
  }
  if (next.status === "warning" && old.code !== next.code) return "unknown";
  if (next.facts.masks !== undefined && old.facts.masks !== undefined) {
    return admitsAll(next.facts.masks, old.facts.masks) ? undefined : "unknown";
  }
  const isMissed = during?.status === "failed" || (during?.status === "unknown" && isSure);
  return isSure && isMissed ? "unknown for a moment" : undefined;
}

const CHECKS: Readonly<Record<string, Finding["check"]>> = {
  role: "role",
  "app-role-assignment": "role",
  identity: "identity",
};

function findingOf(old: Verdict, next: Verdict, effect: Effect): Finding {
  const { part, rule, code, facts } = next;
  const ofPart = part === "application" ? "identity" : part === "source" ? "destroyed" : part;
  const isClient = part === "publishers" && rule.startsWith("role ");
  const check = isClient ? "role" : (CHECKS[rule] ?? ofPart);
  const of = part === "publishers" || part === "source" ? `${part} ` : "";
  const says = CONSEQUENCES[`${of}${rule} ${code}`] ?? CONSEQUENCES[`${of}${rule}`] ?? rule;
  const text = isClient ? `${facts.principal} may no longer ${facts.does}` : says;
  const isOpen =
    part !== "publishers" &&
    effect === "unknown" &&
    (next.status === "unknown" || rule === "network") &&
    old.status !== "unknown";
  const when = effect === "unknown for a moment" ? " for a moment" : "";
  const message = `${isOpen ? "it is not known whether " : ""}${text}${when}`;
  const isLost = effect === "lost" && (!isClient || facts.isOnlyWay === "true");
  return isLost ? lost(check, "LOST", message) : unknown(check, message);
}

/** The attributes that decide a rule, whose changes its finding shows. */
const RULE_ATTRIBUTES: Readonly<Partial<Record<RuleName, RegExp>>> = {
  keys: /auth|shared/i,
  network: /network|acls|ip_?rule|action|bypass|trusted|private_link/i,
  kind: /kind/,
  tier: /sku/,
  mode: /service_mode|features/,
  status: /status/,
  identity: /identity/,
};

/** The consequence for events when a rule no longer holds. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  kind: "it is of a kind that cannot hold them",
  "source kind": "it is of a kind that raises no events",
  "source tier": "it is of a tier that raises no events",
  "source hierarchy": "it has no hierarchical namespace, without which it raises no such events",
  "source mode": "it is in a mode that raises no events",
  "source activation": "it is not activated, so that it gets no events of its partner",
  network: "its network rules refuse Event Grid",
  "publishers network private-only":
    "network rules change: clients outside of its private endpoints are refused",
  "publishers network no-way-in": "clients no longer reach it",
  "publishers network": "network rules change: clients outside of them are refused",
  "publishers keys": "access keys are switched off: clients that use them are refused",
  keys: "access keys are switched off, and events are written without an identity",
  status: "it is disabled",
  "status receive-disabled": "consumers can no longer read from it",
  identity: "the topic loses the identity that events or dead letters are written with",
  role: "the identity that writes events or dead letters loses its role",
  application:
    "the application that tokens are for is gone, or loses the identifier that they are requested for",
  "service-principal":
    "the application that tokens are for is gone, or loses the identifier that they are requested for",
  "service-principal disabled": "it is disabled: Event Grid gets no tokens for it",
  "app-role": "the app role of Event Grid's tokens is removed or disabled, or is for users only",
  "event-grid-principal": "Event Grid's service principal is gone or disabled: it gets no tokens",
  "app-role-assignment":
    "Event Grid loses its app role: webhooks refuse its tokens, and 401 and 403 are not retried",
};
