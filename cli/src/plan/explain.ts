import { UNKNOWN } from "cloud-eventgrid-binding-runtime/contract";
import type { Schema } from "./compare.js";
import { eventsAt, type RecordedEvent } from "./events.js";
import { type Finding, lost, note, type ResourceReport, unknown } from "./finding.js";
import { dependencyFindings, isDestroyed, roleFindings, sourceFindings } from "./other-effects.js";
import type { Plan, PlannedChange } from "./read-plan.js";
import {
  idOf,
  kindOf,
  type SubscriptionChange,
  same,
  setting,
  subscriptionOf,
} from "./resources.js";
import {
  destinationText,
  handshakeFindings,
  replacementFindings,
  settingsFindings,
} from "./subscription-effects.js";
import { type Cover, typeFindings } from "./type-effects.js";

/** What a plan does to events. */
export interface Explanation {
  readonly resources: readonly ResourceReport[];
  /** The number of findings that lose events, and of those that may; without allowed ones. */
  readonly lost: number;
  readonly unknown: number;
}

/**
 * Explains what a plan does to events.
 *
 * @param allowed event types, and names of checks, whose loss is intended
 */
export function explainPlan(
  plan: Plan,
  events: readonly RecordedEvent[],
  allowed: readonly string[],
): Explanation {
  const context = contextOf(plan, events);
  const accepted = new Set(allowed.map((each) => each.toLowerCase()));
  const isAllowed = ({ check, eventType = "", effect }: Finding) =>
    effect !== "none" && (accepted.has(check) || accepted.has(eventType.toLowerCase()));
  const ofPlan = plan.gaps.map((gap) => unknown("plan", gap));
  const reports = [
    { name: "the plan", address: "", findings: ofPlan },
    ...plan.changes.map((change) => reportOf(change, context)),
  ];
  const resources = reports
    .filter(({ findings }) => findings.length > 0)
    .map(({ findings, ...report }) => ({
      ...report,
      findings: findings.map((each) =>
        isAllowed(each) ? { ...each, isAllowed: true as const } : each,
      ),
    }));
  const counted = resources.flatMap(({ findings }) => findings.filter((each) => !each.isAllowed));
  const count = (effect: Finding["effect"]) =>
    counted.filter((each) => each.effect === effect).length;
  return {
    resources: resources.map((each) => redacted(each, plan.secrets)),
    lost: count("lost"),
    unknown: count("unknown"),
  };
}

interface Context {
  readonly changes: readonly PlannedChange[];
  readonly events: readonly RecordedEvent[];
  readonly subscriptions: ReadonlyMap<PlannedChange, SubscriptionChange>;
  readonly sources: readonly PlannedChange[];
  readonly destroyed: readonly PlannedChange[];
  readonly isOnlyScope: boolean;
}

function contextOf({ changes }: Plan, events: readonly RecordedEvent[]): Context {
  const subscriptions = new Map(
    changes
      .filter((change) => kindOf(change) === "subscription")
      .map((change) => [
        change,
        {
          change,
          before: change.before && subscriptionOf(change, change.before),
          after: change.after && subscriptionOf(change, change.after),
        },
      ]),
  );
  const scopes = [...subscriptions.values()].map(({ change, before, after }) => {
    const scope = before?.scope ?? after?.scope;
    return scope === UNKNOWN ? `new ${change.expression("scope")?.references[0]}` : String(scope);
  });
  return {
    changes,
    events,
    subscriptions,
    sources: changes.filter((change) => kindOf(change) === "source"),
    destroyed: changes.filter(isDestroyed),
    isOnlyScope: new Set(scopes).size === 1,
  };
}

function reportOf(change: PlannedChange, context: Context): ResourceReport {
  const { address, type, action } = change;
  const subscription = context.subscriptions.get(change);
  const name = String(change.before?.name ?? change.after?.name ?? address);
  return {
    name: name === "undefined" || subscription === undefined ? address : name,
    address,
    findings: [
      ...(subscription
        ? subscriptionFindings(subscription, context)
        : otherFindings(change, context)),
      ...(kindOf(change) !== undefined && isSetBack(change)
        ? [
            note(
              "drift",
              "drifted",
              "it was changed outside of Terraform, and the plan sets it back",
            ),
          ]
        : []),
      ...(kindOf(change) === "opaque" && action !== "no-op" && !isNewResource(change)
        ? [unknown("plan", `the effect of a change of ${type} is not known to this command`)]
        : []),
    ],
  };
}

/** Whether the plan takes back what was changed outside of Terraform. Providers drift on their own from null to nothing. */
function isSetBack({ action, after, drift }: PlannedChange): boolean {
  if (action === "no-op" || drift === undefined) return false;
  const [old, now] = drift;
  return Object.keys(now).some(
    (name) => !same(old[name], now[name]) && same(old[name], after?.[name]),
  );
}

/** A new resource; those of azapi that change others exist for Terraform only. */
function isNewResource({ action, type }: PlannedChange): boolean {
  return action === "create" && type.startsWith("azurerm_");
}

function otherFindings(change: PlannedChange, context: Context): Finding[] {
  switch (kindOf(change)) {
    case "source":
      return sourceFindings(change);
    case "role":
      return roleFindings(change, [...context.subscriptions.values()], context.changes);
    default:
      return [];
  }
}

function subscriptionFindings(one: SubscriptionChange, context: Context): Finding[] {
  const { action, isImported } = one.change;
  const imported = isImported
    ? [note("plan", "imported", "it exists already, and is imported")]
    : [];
  switch (action) {
    case "no-op":
      return [...imported, ...dependencyFindings(one, context.destroyed)];
    case "forget":
      return [note("plan", "forgotten", "Terraform forgets it; it goes on delivering")];
    case "unknown":
      return [unknown("plan", "what is done to it is not known to this command")];
    case "delete": {
      const found = types(one, context);
      const waiting = unknown("destroyed", "what it has not delivered yet is dropped");
      return found.some(({ effect }) => effect !== "none") ? [...found, waiting] : found;
    }
    default:
      return [
        ...imported,
        ...(action.includes("delete") ? replacementFindings(one) : []),
        ...types(one, context),
        ...settingsFindings(one),
        ...dependencyFindings(one, context.destroyed),
        ...handshakeFindings(one),
      ];
  }
}

const FILTERS = ["included_event_types", "subject_filter", "advanced_filter", "body"];

function types(one: SubscriptionChange, context: Context): Finding[] {
  const { change, before, after } = one;
  if (before && after && same([before.filter, before.scope], [after.filter, after.scope]))
    return [];
  const sides = [before, after].filter((side) => side !== undefined);
  const scopes = sides.flatMap(({ scope }) => [scope, sourceOf(scope, context)]);
  const events = eventsAt(context.events, scopes, context.isOnlyScope);
  const [source] = scopes.filter((scope) => typeof scope === "string").reverse();
  const found = typeFindings({
    before: before && { filter: before.filter, destination: destinationText(one, before) },
    after: after && { filter: after.filter, destination: destinationText(one, after) },
    schemas: schemasOf(one, context),
    source,
    events,
    isSecret: FILTERS.some((name) => change.isSensitive(name)),
    coveredBy: (relate) => coverOf(one, context, relate),
  });
  const input = inputSchemaOf(one, context);
  if (typeof input === "string" && input.startsWith("Custom") && found.every(isHarmless)) {
    const message =
      "events have a schema of their own, whose attributes this command does not know";
    found.push(unknown("types", message));
  }
  const isUnclear = after?.scope === UNKNOWN;
  if (!(before && after) || isUnclear || same(before.scope, after.scope)) return found;
  return [
    ...found,
    lost("destroyed", "LOST", "it leaves its source: no event of that arrives any more"),
  ];
}

/** Another subscription at the scope that delivers the same to the same destination. */
function coverOf(
  { before, change }: SubscriptionChange,
  { subscriptions }: Context,
  relate: Parameters<Parameters<typeof typeFindings>[0]["coveredBy"]>[0],
): Cover | undefined {
  if (before === undefined) return undefined;
  const covers = (filter: unknown) => relate(filter).lost === "none";
  for (const other of subscriptions.values()) {
    const { after } = other;
    const isTwin =
      other.change !== change &&
      after !== undefined &&
      typeof after.scope === "string" &&
      typeof after.destination.place === "string" &&
      after.scope === before.scope &&
      after.destination.type === before.destination.type &&
      after.destination.place === before.destination.place;
    if (!isTwin || !covers(after.filter)) continue;
    const stays = other.change.action === "no-op" || other.change.action === "update";
    const already = stays && other.before !== undefined && covers(other.before.filter);
    return { name: after.name, already };
  }
  return undefined;
}

/** The resource that a system topic is of. */
function sourceOf(scope: unknown, { sources }: Context): unknown {
  if (typeof scope !== "string" || !scope.includes("/systemtopics/")) return undefined;
  const withoutSubscription = (id: unknown) =>
    String(idOf(id)).replace(/^\/subscriptions\/[^/]+/, "");
  const topic = sources
    .map(({ before, after }) => before ?? after)
    .find((attributes) => withoutSubscription(attributes?.id) === withoutSubscription(scope));
  return idOf(topic?.source_resource_id ?? setting(topic, "source_arm_resource_id", "source"));
}

const SCHEMAS: readonly Schema[] = ["CloudEventSchemaV1_0", "EventGridSchema"];

/** The schemas that events of a subscription's source may have. */
function schemasOf(one: SubscriptionChange, context: Context): readonly Schema[] {
  if (one.before?.isNamespace || one.after?.isNamespace) return ["CloudEventSchemaV1_0"];
  const input = inputSchemaOf(one, context);
  const known = SCHEMAS.filter((schema) => schema === input);
  return known.length > 0 ? known : SCHEMAS;
}

/** The input schema of the topic, if it is in the plan. */
function inputSchemaOf(
  { before, after, change }: SubscriptionChange,
  { sources }: Context,
): unknown {
  const [reference = ""] = change.expression("scope")?.references ?? [];
  const scope = (before ?? after)?.scope;
  const topic = sources.find(
    ({ before: old, after: next, address }) =>
      [old?.id, next?.id].some((id) => typeof id === "string" && idOf(id) === scope) ||
      reference === `${address}.id`,
  );
  return setting(topic?.after ?? topic?.before, "input_schema", "inputSchema");
}

const isHarmless = ({ effect }: Finding) => effect === "none";

/** The report without what Terraform marks as sensitive. */
function redacted<Value>(value: Value, secrets: ReadonlySet<string>): Value {
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  const hide = (text: string) =>
    ordered.reduce(
      (result, secret) =>
        secret.length > 2
          ? result.replaceAll(secret, "(sensitive)")
          : result === secret
            ? "(sensitive)"
            : result,
      text,
    );
  const visit = (inner: unknown): unknown => {
    if (typeof inner === "string") return hide(inner);
    if (Array.isArray(inner)) return inner.map(visit);
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, each]) => [hide(name), visit(each)]),
    );
  };
  return secrets.size === 0 ? value : (visit(value) as Value);
}
