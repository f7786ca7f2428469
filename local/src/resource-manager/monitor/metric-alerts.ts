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
import {
  deliveryMetrics,
  isTopicMetric,
  type Metric,
  topicMetrics,
} from "../../eventgrid/index.js";
import type { TimerClock } from "../../simulation/index.js";
import type { Resource } from "../engine/index.js";
import { type EventGridState, intervals, sourceOf, systemTopics } from "../event-grid/index.js";
import { type ActionGroups, type AlertCall, severityOf } from "./action-groups.js";

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
  /** The webhook receivers of the rule's action groups, and what they answered. */
  readonly calls: readonly AlertCall[];
}

interface Evaluated {
  /** Time of the last evaluation. */
  at: number;
  readonly states: Map<string, EvaluatedState>;
}

interface EvaluatedState {
  isFiring: boolean;
  /** Evaluations in a row that did not meet the condition. */
  healthy: number;
  firedAt: number;
  readonly changes: AlertChange[];
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

/** The minute in which rules are evaluated at most once. */
const MINUTE_MS = 60_000;

/**
 * Evaluates the metric alerts of the subscription on the cloud's clock. Evaluations are at whole
 * minutes, for which the metrics are complete, so they can be made up for when somebody asks. Rules
 * with actions are evaluated each minute.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-metric-overview
 */
export class MetricAlerts {
  readonly #evaluated = new Map<string, Evaluated>();

  #isWatching = false;

  constructor(
    private readonly state: EventGridState,
    private readonly clock: TimerClock,
    private readonly actionGroups: ActionGroups,
  ) {}

  /** The alerts of all rules, evaluated until now. */
  list(): Alert[] {
    return this.#rules().flatMap((rule) => this.#alertsOf(rule));
  }

  /** Evaluates the rules with actions each minute from now on, while there are any. */
  watch(rules: readonly Resource[] = this.#rules()): void {
    const hasActions = rules.some((rule) => listAt(rule.body, "properties", "actions").length > 0);
    if (this.#isWatching || !hasActions) return;
    this.#isWatching = true;
    const now = this.clock.now();
    this.clock.schedule(nextTime(now, MINUTE_MS) - now, () => {
      this.#isWatching = false;
      this.list();
      this.watch();
    });
  }

  #rules(): Resource[] {
    return this.state.resources.store
      .list()
      .filter(({ type }) => type === "Microsoft.Insights/metricAlerts");
  }

  /** Checks a rule, and evaluates what it was before until now. */
  write(rule: Resource, before: Resource | undefined): Resource {
    checkRule(rule);
    if (before) this.#alertsOf(before);
    else this.#evaluationOf(rule);
    this.watch([rule]);
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
        const values = conditions?.map((each) => this.#value(each, scope, at - window, at)) ?? [];
        const isMet = conditions?.every(({ isMet }, index) => isMet(values[index] ?? 0)) ?? false;
        const state = stateOf(evaluation, scope);
        const changed = change(state, isMet, resolves);
        if (changed === undefined) continue;
        const calls: AlertCall[] = [];
        state.changes.push({ state: changed, at, calls });
        if (changed === "fired") state.firedAt = at;
        if (state.changes.length > MAX_CHANGES) state.changes.shift();
        const { firedAt } = state;
        const notice = { rule, scope, state: changed, at, firedAt, values };
        this.actionGroups.notify(notice, (call) => calls.push(call));
      }
    }
    return scopes.map((scope) => {
      const { isFiring, changes } = stateOf(evaluation, scope);
      return {
        rule: rule.name,
        ruleId: rule.id,
        scope,
        severity: severityOf(rule),
        state: conditions ? (isFiring ? "firing" : "healthy") : "notEvaluated",
        changes: [...changes],
      };
    });
  }

  /**
   * The value to compare: the total of a resource or, with a dimension, the total that is first to
   * meet the condition, because there is a time series for each event subscription.
   */
  #value(condition: Condition, scope: string, from: number, to: number): number {
    const { metric, isMet, selects } = condition;
    const { eventSubscriptions, resources, metrics } = this.state;
    if (isTopicMetric(metric)) return metrics.total(scope, metric, from, to);
    const topic = systemTopics(resources).find(({ id }) => sameScope(id, scope));
    const above = topic ? sourceOf(topic) : scope;
    const totals = eventSubscriptions
      .list()
      .filter(({ id, name }) => isWithin(id, above) && (selects?.(name) ?? true))
      .map(({ id }) => metrics.total(id, metric, from, to));
    if (selects) return totals.find(isMet) ?? totals[0] ?? Number.NaN;
    return totals.reduce((sum, total) => sum + total, 0);
  }
}

interface Condition {
  readonly metric: Metric;
  readonly isMet: (value: number) => boolean;
  /** Which event subscriptions have a time series of their own. @default one for all */
  readonly selects: ((name: string) => boolean) | undefined;
}

/** The conditions of a rule, all of which must be met; `undefined` if one cannot be evaluated. */
function conditionsOf(properties: unknown): readonly Condition[] | undefined {
  if (field(properties, "enabled") === false) return undefined;
  const criteria = listAt(properties, "criteria", "allOf");
  const conditions = criteria.flatMap((criterion) => conditionOf(criterion) ?? []);
  return conditions.length === criteria.length ? conditions : undefined;
}

function conditionOf(criterion: unknown): Condition | undefined {
  const name = textAt(criterion, "metricName")?.toLowerCase();
  const metric = [...deliveryMetrics, ...topicMetrics].find((each) => each.toLowerCase() === name);
  const compare = COMPARISONS[textAt(criterion, "operator")?.toLowerCase() ?? ""];
  const threshold = field(criterion, "threshold");
  const isTotal = textAt(criterion, "timeAggregation")?.toLowerCase() === "total";
  const [dimension, ...others] = listAt(criterion, "dimensions");
  if (!metric || !compare || typeof threshold !== "number" || !isTotal) return undefined;
  const isMet = (value: number) => compare(value, threshold);
  if (dimension === undefined) return { metric, isMet, selects: undefined };
  const isName = textAt(dimension, "name")?.toLowerCase() === "eventsubscriptionname";
  if (!isName || others.length > 0 || isTopicMetric(metric)) return undefined;
  const values = listAt(dimension, "values").map((value) => String(value).toLowerCase());
  const operator = textAt(dimension, "operator")?.toLowerCase();
  const selects = (subscription: string) => {
    const named = subscription.toLowerCase();
    if (operator === "startswith") return values.some((value) => named.startsWith(value));
    return (values.includes("*") || values.includes(named)) !== (operator === "exclude");
  };
  return { metric, isMet, selects };
}

function stateOf({ states }: Evaluated, scope: string): EvaluatedState {
  const state = states.get(scope) ?? { isFiring: false, healthy: 0, firedAt: 0, changes: [] };
  states.set(scope, state);
  return state;
}

function change(
  state: EvaluatedState,
  isMet: boolean,
  resolves: boolean,
): AlertChange["state"] | undefined {
  state.healthy = isMet ? 0 : state.healthy + 1;
  if (!resolves) state.isFiring = false; // A stateless alert fires each time.
  if (isMet && !state.isFiring) {
    state.isFiring = true;
    return "fired";
  }
  if (!state.isFiring || state.healthy !== HEALTHY_TO_RESOLVE) return undefined;
  state.isFiring = false;
  return "resolved";
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
