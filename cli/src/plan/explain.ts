import { UNKNOWN } from "../rules/index.js";
import {
  adriftFindings,
  destroyedSourceFindings,
  destructionFindings,
  encryptionFindings,
  endpointFindings,
  handshakeFindings,
  isOnlyAdded,
  Judgements,
  neighbourFindings,
  policyFindings,
  registrationFindings,
  relevantIn,
  replacementFindings,
  settingsFindings,
  Twins,
  type TypeContext,
  templateFindings,
  typeFindings,
  WebhookWays,
} from "./effects/index.js";
import type { RecordedEvent } from "./events.js";
import { type Finding, note, type ResourceReport, unknown } from "./finding.js";
import {
  alikeSubscriptions,
  type Dependencies,
  dependenciesOf,
  Graph,
  isDestroyed,
} from "./graph/index.js";
import {
  kindOf,
  type Plan,
  type PlannedChange,
  type SubscriptionChange,
  subscriptionChange,
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
    const { check, eventType = check, effect } = finding;
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

interface Context extends TypeContext {
  readonly subscriptions: ReadonlyMap<PlannedChange, SubscriptionChange>;
  readonly graph: Graph;
  readonly destroyed: readonly PlannedChange[];
  readonly dependencies: Dependencies;
  /** The names of that, and of what is on the way to webhooks. */
  readonly names: readonly string[];
  readonly judgements: Judgements;
  readonly ways: WebhookWays;
}

async function contextOf({ changes }: Plan, events: readonly RecordedEvent[]): Promise<Context> {
  const subscriptions = new Map(
    changes
      .filter((change) => kindOf(change) === "subscription")
      .map((change) => [change, subscriptionChange(change)]),
  );
  const all = [...subscriptions.values()];
  const scopes = all.map(({ change, before, after }) => {
    const scope = before?.scope ?? after?.scope;
    return scope === UNKNOWN ? `new ${change.references("scope")?.[0]}` : String(scope);
  });
  const graph = new Graph(changes);
  const groups = alikeSubscriptions(all);
  const dependencies = dependenciesOf(graph, all, groups);
  const judgements = await Judgements.of(changes, all, groups);
  const isOnlyScope = new Set(scopes).size === 1;
  const twins = new Twins(all);
  const sources = changes.filter((change) => kindOf(change) === "source");
  const destroyed = changes.filter(isDestroyed);
  const ways = new WebhookWays(graph, all);
  const names = [...dependencies.names, ...ways.ids];
  const found = { graph, subscriptions, twins, sources, destroyed, dependencies, judgements, ways };
  return { events, ...found, names, isOnlyScope };
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

const FORGOTTEN = note("plan", "forgotten", "Terraform forgets it; it stays in Azure");

function otherFindings(change: PlannedChange, context: Context): Finding[] {
  const { action, type } = change;
  if (action === "no-op") return [];
  const dependencies = context.dependencies.found.get(change) ?? [];
  const kind = kindOf(change);
  if (action === "forget") {
    const isNeeded = kind === "source" || dependencies.length > 0 || context.ways.has(change);
    return isNeeded ? [FORGOTTEN] : [];
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
    case "template":
      return templateFindings(change);
    case "role":
      return [
        ...context.judgements.findings(change),
        ...encryptionFindings(change, context.graph, context.dependencies),
      ];
    case "opaque": {
      const message = `the effect of a change of ${type} is not known to this command`;
      const isHarmless = action === "update" && relevantIn(change, "source").length === 0;
      return isOnlyAdded(change) || isHarmless ? [] : [unknown("plan", message)];
    }
    default:
      return [
        ...neighbourFindings(change, dependencies),
        ...context.ways.findings(change),
        ...context.judgements.findings(change),
        ...encryptionFindings(change, context.graph, context.dependencies),
        ...registrationFindings(change, context.names),
        ...policyFindings(change, context.names),
        ...endpointFindings(change, context.sources),
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
      return [FORGOTTEN, ...kept];
    case "unknown":
      return [unknown("plan", "what is done to it is not known to this command")];
    case "delete": {
      const found = typeFindings(one, context);
      const waiting = unknown("destroyed", "what it has not delivered yet is dropped");
      return found.some(({ effect }) => effect !== "none") ? [...found, waiting] : found;
    }
    default:
      return [
        ...replacementFindings(one, context.destroyed),
        ...typeFindings(one, context),
        ...settingsFindings(one).filter((finding) => !isReported(finding)),
        ...kept,
        ...handshakeFindings(one),
      ];
  }
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
    typeof value === "string" && !["check", "effect", "label"].includes(name) ? hide(value) : value,
  );
}
