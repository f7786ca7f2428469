import {
  field,
  isWithin,
  listAt,
  objectAt,
  ServiceError,
  sameScope,
  scopeKey,
  textAt,
} from "../../base/index.js";
import { type DeliveryMetric, deliveryMetrics } from "../../eventgrid/index.js";
import type { Resource } from "../engine/index.js";
import { type EventGridState, intervals, sourceOf, systemTopics } from "../event-grid/index.js";

/** An alert of a rule about one resource. */
export interface Alert {
  /** Name of the alert rule, and its resource ID. */
  readonly rule: string;
  readonly ruleId: string;
  /** Resource ID of a topic, domain, system topic or event subscription. */
  readonly scope: string;
  /** 0, critical, to 4, verbose. */
  readonly severity: number;
  /** `notEvaluated`: the rule is disabled, or needs what the local Azure does not count. */
  readonly state: "firing" | "healthy" | "notEvaluated";
  /** When it fired and was resolved, in milliseconds since 1970 on the cloud's clock, oldest first. */
  readonly changes: readonly AlertChange[];
}

export interface AlertChange {
  readonly state: "fired" | "resolved";
  readonly at: number;
}

interface Evaluated {
  /** Time of the last evaluation. */
  at: number;
  readonly states: Map<string, { isFiring: boolean; healthy: number; changes: AlertChange[] }>;
}

const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  greaterthan: (value, threshold) => value > threshold,
  greaterthanorequal: (value, threshold) => value >= threshold,
  lessthan: (value, threshold) => value < threshold,
  lessthanorequal: (value, threshold) => value <= threshold,
  equals: (value, threshold) => value === threshold,
};

/** Azure resolves an alert whose condition is not met this many times in a row. */
const HEALTHY_TO_RESOLVE = 3;
const MAX_CHANGES = 1000;

/**
 * Evaluates the metric alerts of the subscription on the cloud's clock. Evaluations are at whole
 * minutes, for which the metrics are complete, so they can be made up for when somebody asks.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-metric-overview
 */
export class MetricAlerts {
  readonly #evaluated = new Map<string, Evaluated>();

  constructor(private readonly state: EventGridState) {}

  /** The alerts of all rules, evaluated until now. */
  list(): Alert[] {
    return this.state.resources.store
      .list()
      .filter(({ type }) => type === "Microsoft.Insights/metricAlerts")
      .flatMap((rule) => this.#alertsOf(rule));
  }

  /** Checks a rule, and evaluates what it was before until now. */
  write(rule: Resource, before: Resource | undefined): Resource {
    checkRule(rule);
    if (before) this.#alertsOf(before);
    else this.#evaluationOf(rule);
    return rule;
  }

  delete({ id }: Resource): void {
    this.#evaluated.delete(scopeKey(id));
  }

  /** Forgets what fired, as the metrics of the past are forgotten. */
  clear(): void {
    this.#evaluated.clear();
    this.list();
  }

  #evaluationOf({ id }: Resource): Evaluated {
    const known = this.#evaluated.get(scopeKey(id));
    if (known) return known;
    const created = { at: this.state.now(), states: new Map() };
    this.#evaluated.set(scopeKey(id), created);
    return created;
  }

  #alertsOf(rule: Resource): Alert[] {
    const properties = objectAt(rule.body, "properties");
    const evaluation = this.#evaluationOf(rule);
    const conditions = conditionsOf(properties);
    const frequency = intervals.get(textAt(properties, "evaluationFrequency") ?? "") ?? 60_000;
    const window = intervals.get(textAt(properties, "windowSize") ?? "") ?? frequency;
    const resolves = field(properties, "autoMitigate") !== false;
    const now = this.state.now();
    const scopes = listAt(properties, "scopes").map(String);
    for (let at = nextTime(evaluation.at, frequency); at <= now; at = nextTime(at, frequency)) {
      evaluation.at = at;
      for (const scope of conditions ? scopes : []) {
        const isMet = conditions?.every((each) => this.#isMet(each, scope, at - window, at));
        change(stateOf(evaluation, scope), isMet ?? false, resolves, at);
      }
    }
    return scopes.map((scope) => {
      const { isFiring, changes } = stateOf(evaluation, scope);
      return {
        rule: rule.name,
        ruleId: rule.id,
        scope,
        severity: Number(field(properties, "severity") ?? 3),
        state: conditions ? (isFiring ? "firing" : "healthy") : "notEvaluated",
        changes: [...changes],
      };
    });
  }

  #isMet(condition: Condition, scope: string, from: number, to: number): boolean {
    const { metric, compare, threshold, selects } = condition;
    const { eventSubscriptions, resources, metrics } = this.state;
    const topic = systemTopics(resources).find(({ id }) => sameScope(id, scope));
    const above = topic ? sourceOf(topic) : scope;
    const totals = eventSubscriptions
      .list()
      .filter(({ id, name }) => isWithin(id, above) && (selects?.(name) ?? true))
      .map(({ id }) => metrics.total(id, metric, from, to));
    // With a dimension there is a time series for each event subscription.
    if (selects) return totals.some((total) => compare(total, threshold));
    return compare(
      totals.reduce((sum, total) => sum + total, 0),
      threshold,
    );
  }
}

interface Condition {
  readonly metric: DeliveryMetric;
  readonly compare: (value: number, threshold: number) => boolean;
  readonly threshold: number;
  /** Which event subscriptions have a time series of their own. @default one for all */
  readonly selects: ((name: string) => boolean) | undefined;
}

/** The conditions of a rule, all of which must be met; `undefined` if one cannot be evaluated. */
function conditionsOf(properties: unknown): readonly Condition[] | undefined {
  if (field(properties, "enabled") === false) return undefined;
  const conditions = listAt(properties, "criteria", "allOf").flatMap(
    (criterion) => conditionOf(criterion) ?? [],
  );
  return conditions.length === listAt(properties, "criteria", "allOf").length
    ? conditions
    : undefined;
}

function conditionOf(criterion: unknown): Condition | undefined {
  const name = textAt(criterion, "metricName")?.toLowerCase();
  const metric = deliveryMetrics.find((each) => each.toLowerCase() === name);
  const compare = COMPARISONS[textAt(criterion, "operator")?.toLowerCase() ?? ""];
  const threshold = field(criterion, "threshold");
  const isTotal = textAt(criterion, "timeAggregation")?.toLowerCase() === "total";
  const [dimension, ...others] = listAt(criterion, "dimensions");
  if (!metric || !compare || typeof threshold !== "number" || !isTotal) return undefined;
  if (dimension === undefined) return { metric, compare, threshold, selects: undefined };
  const isName = textAt(dimension, "name")?.toLowerCase() === "eventsubscriptionname";
  if (!isName || others.length > 0) return undefined;
  const values = listAt(dimension, "values").map((value) => String(value).toLowerCase());
  const excludes = textAt(dimension, "operator")?.toLowerCase() === "exclude";
  const selects = (subscription: string) =>
    (values.includes("*") || values.includes(subscription.toLowerCase())) !== excludes;
  return { metric, compare, threshold, selects };
}

function stateOf({ states }: Evaluated, scope: string) {
  const state = states.get(scope) ?? { isFiring: false, healthy: 0, changes: [] };
  states.set(scope, state);
  return state;
}

function change(
  state: ReturnType<typeof stateOf>,
  isMet: boolean,
  resolves: boolean,
  at: number,
): void {
  state.healthy = isMet ? 0 : state.healthy + 1;
  if (!resolves) state.isFiring = false; // A stateless alert fires each time.
  if (isMet && !state.isFiring) {
    state.isFiring = true;
    state.changes.push({ state: "fired", at });
  } else if (state.isFiring && state.healthy === HEALTHY_TO_RESOLVE) {
    state.isFiring = false;
    state.changes.push({ state: "resolved", at });
  }
  if (state.changes.length > MAX_CHANGES) state.changes.shift();
}

function nextTime(after: number, frequency: number): number {
  return (Math.floor(after / frequency) + 1) * frequency;
}

/** @throws ServiceError 400 with every problem of the rule */
function checkRule({ body }: Resource): void {
  const properties = objectAt(body, "properties");
  const [frequency, window] = ["evaluationFrequency", "windowSize"].map((name) =>
    intervals.get(textAt(properties, name) ?? ""),
  );
  const severity = field(properties, "severity");
  const problems = [
    listAt(properties, "scopes").length === 0 && "scopes must name a resource",
    listAt(properties, "criteria", "allOf").length === 0 && "criteria.allOf must have a criterion",
    !frequency && "evaluationFrequency must be a duration such as PT1M",
    !window && "windowSize must be a duration such as PT5M",
    frequency && window && frequency > window && "windowSize must not be below evaluationFrequency",
    ![0, 1, 2, 3, 4].some((each) => each === severity) && "severity must be a number from 0 to 4",
  ].filter((problem) => typeof problem === "string");
  if (problems.length === 0) return;
  throw new ServiceError(400, "BadRequest", `The metric alert is invalid: ${problems.join("; ")}.`);
}
