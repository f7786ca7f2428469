import { type Budget, type Schema, withDefaultTypes } from "../rules/filters/index.js";
import { UNKNOWN } from "../rules/index.js";
import {
  adriftFindings,
  destinationText,
  destroyedSourceFindings,
  destructionFindings,
  encryptionFindings,
  handshakeFindings,
  Judgements,
  neighbourFindings,
  registrationFindings,
  relevantIn,
  replacementFindings,
  settingsFindings,
  Twins,
  typeFindings,
  WebhookWays,
} from "./effects/index.js";
import { eventsAt, type RecordedEvent } from "./events.js";
import { type Finding, lost, note, type ResourceReport, unknown } from "./finding.js";
import { type Dependencies, dependenciesOf, Graph, isDestroyed } from "./graph/index.js";
import {
  type Attributes,
  idOf,
  kindOf,
  type Plan,
  type PlannedChange,
  type Subscription,
  type SubscriptionChange,
  same,
  subscriptionOf,
  value,
} from "./terraform/index.js";

/** The effects of a plan on events. */
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
 * @param onProgress called before each resource, with its number and how many there are
 */
export async function explainPlan(
  plan: Plan,
  events: readonly RecordedEvent[],
  allowed: readonly string[],
  onProgress?: (number: number, count: number) => Promise<void>,
): Promise<Explanation> {
  const context = await contextOf(plan, events);
  const accepted = new Set(allowed.map((each) => each.toLowerCase()));
  const judged = (finding: Finding): Finding => {
    const { check, eventType = "", effect } = finding;
    const isAllowed = accepted.has(check) || accepted.has(eventType.toLowerCase());
    return isAllowed && effect !== "none" ? { ...finding, isAllowed } : finding;
  };
  const ofPlan = plan.gaps.map((gap) => unknown("plan", gap));
  const reports: ResourceReport[] = [{ name: "the plan", address: "", findings: ofPlan }];
  for (const change of plan.changes) {
    await onProgress?.(reports.length, plan.changes.length);
    reports.push(reportOf(change, context));
  }
  const resources = reports
    .filter(({ findings }) => findings.length > 0)
    .map((report) => ({ ...report, findings: report.findings.map(judged) }));
  const effects = resources.flatMap(({ findings }) =>
    findings.filter(({ isAllowed }) => !isAllowed).map(({ effect }) => effect),
  );
  const count = (effect: Finding["effect"]) => effects.filter((each) => each === effect).length;
  return {
    resources: redacted(resources, plan.secrets),
    lost: count("lost"),
    unknown: count("unknown"),
  };
}

interface Context {
  readonly events: readonly RecordedEvent[];
  readonly subscriptions: ReadonlyMap<PlannedChange, SubscriptionChange>;
  readonly graph: Graph;
  readonly twins: Twins;
  readonly sources: readonly PlannedChange[];
  readonly destroyed: readonly PlannedChange[];
  readonly dependencies: Dependencies;
  /** The names of that, and of what is on the way to webhooks. */
  readonly names: readonly string[];
  readonly judgements: Judgements;
  readonly ways: WebhookWays;
  readonly isOnlyScope: boolean;
  readonly budget: Budget;
}

/**
 * The steps of all searches for an event that one filter passes and another does not, and of those about
 * one subscription. What needs more is unknown, on every machine.
 */
const MAX_STEPS_OF_PLAN = 150_000_000;
const MAX_STEPS = 5_000_000;

async function contextOf({ changes }: Plan, events: readonly RecordedEvent[]): Promise<Context> {
  const subscriptions = new Map(
    changes.filter((change) => kindOf(change) === "subscription").map(withBothSides),
  );
  const scopes = [...subscriptions.values()].map(({ change, before, after }) => {
    const scope = before?.scope ?? after?.scope;
    return scope === UNKNOWN ? `new ${change.references("scope")?.[0]}` : String(scope);
  });
  const graph = new Graph(changes);
  const dependencies = dependenciesOf(graph, [...subscriptions.values()]);
  const judgements = await Judgements.of(changes, [...subscriptions.values()]);
  const budget = { steps: MAX_STEPS_OF_PLAN };
  const isOnlyScope = new Set(scopes).size === 1;
  const twins = new Twins([...subscriptions.values()]);
  const sources = changes.filter((change) => kindOf(change) === "source");
  const destroyed = changes.filter(isDestroyed);
  const ways = new WebhookWays(graph, [...subscriptions.values()]);
  const names = [...dependencies.names, ...ways.ids];
  const found = { graph, subscriptions, twins, sources, destroyed, dependencies, judgements, ways };
  return { events, ...found, names, isOnlyScope, budget };
}

function withBothSides(change: PlannedChange): [PlannedChange, SubscriptionChange] {
  const [before, after] = [change.before, change.after].map(
    (side) => side && subscriptionOf(change, side),
  );
  return [change, { change, before, after }];
}

function reportOf(change: PlannedChange, context: Context): ResourceReport {
  const { address, before, after } = change;
  const subscription = context.subscriptions.get(change);
  const name = subscription && (before?.name ?? after?.name);
  return {
    name: typeof name === "string" ? name : address,
    address,
    findings: subscription
      ? subscriptionFindings(subscription, context)
      : otherFindings(change, context),
  };
}

function otherFindings(change: PlannedChange, context: Context): Finding[] {
  const { action, type } = change;
  if (action === "no-op") return [];
  const dependencies = context.dependencies.found.get(change) ?? [];
  const kind = kindOf(change);
  if (action === "forget") {
    const message = "Terraform forgets it; it stays in Azure";
    const isNeeded = kind === "source" || dependencies.length > 0 || context.ways.has(change);
    return isNeeded ? [note("plan", "forgotten", message)] : [];
  }
  switch (kind) {
    case "source":
      if (action === "create") return [];
      return (
        destroyedSourceFindings(change) ?? [
          ...neighbourFindings(change, dependencies),
          ...context.judgements.findings(change),
        ]
      );
    case "template": {
      const message = "what its template does to deliveries is not known to this command";
      return relevantIn(change, "target").length === 0 ? [] : [unknown("plan", message)];
    }
    case "role":
      return [
        ...context.judgements.findings(change),
        ...encryptionFindings(change, context.dependencies),
      ];
    case "opaque": {
      // A new resource changes nothing, unless it is one of azapi that changes others.
      const isNew = action === "create" && type.startsWith("azurerm_");
      const message = `the effect of a change of ${type} is not known to this command`;
      const isHarmless = action === "update" && relevantIn(change, "source").length === 0;
      return isNew || isHarmless ? [] : [unknown("plan", message)];
    }
    default:
      return [
        ...neighbourFindings(change, dependencies),
        ...context.ways.findings(change),
        ...context.judgements.findings(change),
        ...encryptionFindings(change, context.dependencies),
        ...registrationFindings(change, context.names),
        ...adriftFindings(change, context.graph, context.dependencies),
      ];
  }
}

function subscriptionFindings(one: SubscriptionChange, context: Context): Finding[] {
  const { action, isImported } = one.change;
  const destroyed = destructionFindings(one, context.destroyed);
  const kept = [
    ...(isImported ? [note("plan", "imported", "it exists already, and is imported")] : []),
    ...destroyed,
    ...context.judgements.findings(one.change),
  ];
  // Where its events go instead is known later.
  const isReported = ({ check, effect }: Finding) =>
    effect === "unknown" &&
    destroyed.some((each) => each.check === check && each.effect === "lost");
  switch (action) {
    case "no-op":
      return kept;
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
        ...replacementFindings(one, context.destroyed),
        ...types(one, context),
        ...settingsFindings(one).filter((finding) => !isReported(finding)),
        ...kept,
        ...handshakeFindings(one),
      ];
  }
}

const FILTERS = ["included_event_types", "subject_filter", "advanced_filter", "body"];

function types(one: SubscriptionChange, context: Context): Finding[] {
  const { change, before, after } = one;
  if (before && after && same([before.filter, before.scope], [after.filter, after.scope])) {
    return [];
  }
  const topic = topicOf(one, context);
  const monitored = value(topic, "source_resource_id", "source_arm_resource_id", "source");
  const scopes = [before?.scope, after?.scope, idOf(monitored)];
  const [source] = scopes.filter((scope) => typeof scope === "string").reverse();
  const input = value(topic, "input_schema", "inputSchema");
  const isNamespace = before?.isNamespace || after?.isNamespace;
  const known = SCHEMAS.filter((schema) => schema === (isNamespace ? SCHEMAS[0] : input));
  const [first, second] = comparedFilters([before?.filter, after?.filter], source);
  const budget = { steps: Math.min(MAX_STEPS, context.budget.steps) };
  context.budget.steps -= budget.steps;
  const route = (side: Subscription | undefined, filter: unknown) =>
    side && { filter, destination: destinationText(one, side) };
  const found = typeFindings({
    before: route(before, first),
    after: route(after, second),
    budget,
    schemas: known.length > 0 ? known : SCHEMAS,
    source,
    events: eventsAt(context.events, scopes, context.isOnlyScope),
    isSecret: FILTERS.some((name) => change.isSensitive(name)),
    twins: context.twins.of(one),
  });
  context.budget.steps += budget.steps;
  if (String(input).startsWith("Custom") && found.every(({ effect }) => effect === "none")) {
    const message =
      "events have a schema of their own, whose attributes this command does not know";
    found.push(unknown("types", message));
  }
  if (before && after && !same(before.scope, after.scope)) {
    const message = "it leaves its source: no event of that arrives any more";
    const isLater = after.scope === UNKNOWN;
    if (!isLater) found.push(lost("destroyed", "LOST", message));
    else if (change.action === "update") {
      found.push(unknown("destroyed", "its source is known only after the apply"));
    }
  }
  return found;
}

/**
 * Filters with the types that Azure chooses where they name none, unless both name none, or one does not
 * exist, and the choice is not known.
 */
function comparedFilters(filters: readonly (Attributes | undefined)[], source: unknown) {
  const chosen = filters.map((filter) => filter && withDefaultTypes(filter, source));
  const isOpen = (index: number) =>
    chosen[index] === undefined || chosen[index].includedEventTypes === UNKNOWN;
  return typeof source !== "string" || (isOpen(0) && isOpen(1)) ? filters : chosen;
}

const SCHEMAS: readonly Schema[] = ["CloudEventSchemaV1_0", "EventGridSchema"];

/** The topic, domain or system topic of a subscription, if it is in the plan. */
function topicOf(
  { change, before, after }: SubscriptionChange,
  { sources }: Context,
): Attributes | undefined {
  const [reference = ""] = change.references("scope") ?? [];
  // The subscription of a system topic is not always in the plan.
  const scope = String((before ?? after)?.scope).replace(/^\/subscriptions\/\?/, "");
  const topic = sources.find(
    (each) =>
      reference === `${each.address}.id` ||
      [each.before, each.after].some((side) => String(idOf(side?.id)).endsWith(scope)),
  );
  return topic?.after ?? topic?.before;
}

/** The report without what Terraform marks as sensitive. */
function redacted(
  resources: readonly ResourceReport[],
  secrets: ReadonlySet<string>,
): readonly ResourceReport[] {
  if (secrets.size === 0) return resources;
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  const hide = (text: string) =>
    longestFirst.reduce((shown, secret) => {
      if (shown === secret) return "(sensitive)";
      return secret.length > 2 ? shown.replaceAll(secret, "(sensitive)") : shown;
    }, text);
  return JSON.parse(JSON.stringify(resources), (name, value: unknown) =>
    typeof value === "string" && !/^(check|effect|label)$/.test(name) ? hide(value) : value,
  );
}
