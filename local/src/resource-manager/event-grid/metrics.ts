import type { ApiRequest, Router } from "../../api/index.js";
import {
  DAY_MS,
  HOUR_MS,
  invalidRequest,
  isOfType,
  isWithin,
  SECOND_MS,
  sameText,
  scopeOfSubscription,
  secondsIn,
  typeOf,
  utcTime,
} from "../../base/index.js";
import { deliveryMetrics, type Metric, topicMetrics } from "../../eventgrid/index.js";
import { resourceNotFound } from "../resources/index.js";
import { EVENT_SUBSCRIPTION_TYPE, getEventSubscription } from "./event-subscriptions/index.js";
import type { EventGridState } from "./state.js";
import { DOMAIN_TYPE, SYSTEM_TOPIC_TYPE, sourceOf, TOPIC_TYPE } from "./topic-resources.js";

/** Azure Monitor's intervals, in milliseconds. */
export const intervals: ReadonlyMap<string, number> = new Map(
  ["PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT6H", "PT12H", "P1D"].map((interval) => [
    interval,
    secondsIn(interval) * SECOND_MS,
  ]),
);

/** The metrics of Event Grid's resources, which Azure Monitor serves. */
export function addMetricsRoute(router: Router, state: EventGridState): void {
  router.get("/*id/providers/Microsoft.Insights/metrics", (request, parameter) => {
    const id = parameter("id");
    state.authorization.require(request.caller, "Microsoft.Insights/metrics/read", id);
    return metricsAnswer(request, measuredAt(state, id), state);
  });
}

interface Measured {
  readonly id: string;
  readonly namespace: string;
  readonly region: string;
  readonly metrics: readonly Metric[];
  /** The resource, and the event subscriptions whose counts are its own. */
  readonly counted: readonly string[];
}

/** @throws ServiceError 404 for what does not exist, 400 for what has no metrics here */
function measuredAt(state: EventGridState, id: string): Measured {
  const types = [TOPIC_TYPE, DOMAIN_TYPE, SYSTEM_TOPIC_TYPE] as const;
  const type = types.find((each) => isOfType(id, each));
  if (type === undefined) {
    if (scopeOfSubscription(id) === id) {
      if (!state.resources.get(id)) throw resourceNotFound(id);
      throw invalidRequest(`The local Azure has no metrics of the type '${typeOf(id)}'.`);
    }
    const subscription = getEventSubscription(state, id);
    const counted = [subscription.id];
    return {
      id: subscription.id,
      namespace: EVENT_SUBSCRIPTION_TYPE,
      region: "global",
      metrics: deliveryMetrics,
      counted,
    };
  }
  const resource = state.resources.get(id);
  if (!resource) throw resourceNotFound(id);
  const scope = type === SYSTEM_TOPIC_TYPE ? sourceOf(resource) : id;
  const subscriptions = state.eventSubscriptions.list().filter((each) => isWithin(each.id, scope));
  return {
    id: resource.id,
    namespace: type,
    region: resource.location ?? "global",
    metrics: type === SYSTEM_TOPIC_TYPE ? deliveryMetrics : [...topicMetrics, ...deliveryMetrics],
    counted: [resource.id, ...subscriptions.map((each) => each.id)],
  };
}

/**
 * The metrics of a resource, as Azure Monitor returns them. They are kept for a day.
 *
 * @see https://learn.microsoft.com/rest/api/monitor/metrics/list
 */
function metricsAnswer(
  { query }: ApiRequest,
  { id, namespace, region, metrics: own, counted }: Measured,
  { metrics, now }: Pick<EventGridState, "metrics" | "now">,
): object {
  const [from, to] = timespanIn(query.get("timespan"), now());
  const interval = query.get("interval") ?? "PT1M";
  const step = sameText(interval, "FULL") ? to - from : intervals.get(interval);
  if (step === undefined) throw invalidRequest(`The interval '${interval}' is not supported.`);
  const wantedNamespace = query.get("metricnamespace") ?? namespace;
  if (!sameText(wantedNamespace, namespace)) {
    throw invalidRequest(
      `The metric namespace '${wantedNamespace}' is not that of the resource, '${namespace}'.`,
    );
  }
  const filter = query.get("$filter");
  if (filter) {
    throw invalidRequest(
      `The local Azure keeps no dimensions of metrics, and cannot answer the $filter '${filter}'.`,
    );
  }
  const wantedAggregations = aggregationsIn(query.get("aggregation") ?? "Total");
  // A time that is no multiple of the interval belongs to the interval in which it is.
  const first = intervals.has(interval) ? Math.floor(from / step) * step : from;
  const starts = Array.from(
    { length: Math.ceil((to - first) / step) },
    (_, at) => first + at * step,
  );
  return {
    cost: 0,
    timespan: `${new Date(from).toISOString()}/${new Date(to).toISOString()}`,
    interval,
    namespace,
    resourceregion: region,
    value: wanted(query.get("metricnames"), own).map((metric) => ({
      id: `${id}/providers/Microsoft.Insights/metrics/${metric}`,
      type: "Microsoft.Insights/metrics",
      name: { value: metric, localizedValue: metric },
      unit: "Count",
      errorCode: "Success",
      timeseries: [
        {
          metadatavalues: [],
          data: starts.map((start) => {
            const end = Math.min(start + step, to);
            const total = counted.reduce(
              (sum, each) => sum + metrics.total(each, metric, start, end),
              0,
            );
            const values = wantedAggregations.map((name) => [
              name.toLowerCase(),
              aggregated(name, total),
            ]);
            return { timeStamp: new Date(start).toISOString(), ...Object.fromEntries(values) };
          }),
        },
      ],
    })),
  };
}

const aggregations = ["Total", "Count", "Average", "Minimum", "Maximum"] as const;

/** Each event that is counted is one measurement, which the documentation leaves open. */
function aggregated(name: (typeof aggregations)[number], total: number): number {
  return name === "Total" || name === "Count" ? total : Math.min(total, 1);
}

function aggregationsIn(list: string) {
  return list.split(",").map((each) => {
    const found = aggregations.find((name) => sameText(name, each.trim()));
    if (found !== undefined) return found;
    throw invalidRequest(
      `The aggregation '${each}' is not supported. Supported: ${aggregations.join(", ")}.`,
    );
  });
}

function wanted(names: string | null, known: readonly Metric[]): readonly Metric[] {
  if (names === null) return known;
  return names.split(",").map((name) => {
    const found = known.find((each) => sameText(each, name.trim()));
    if (found !== undefined) return found;
    throw invalidRequest(
      `Failed to find metric configuration for '${name}'. Valid metrics: ${known.join(",")}`,
    );
  });
}

/**
 * From and to; without a timespan, the last hour. As recorded of the service, a longer one than 31 days
 * means its last 31, and one that is encoded twice, as az does it, is read.
 *
 * @see https://github.com/Azure/azure-cli `test_monitor_metrics_scenario`
 */
function timespanIn(timespan: string | null, now: number): [number, number] {
  if (timespan === null) return [now - HOUR_MS, now];
  const decoded = timespan.replace(/%(3A|2B|2F)/gi, (each) => decodeURIComponent(each));
  const [from = Number.NaN, to = Number.NaN] = decoded.split("/").map(utcTime);
  if (from < to) return [Math.max(from, to - 31 * DAY_MS), to];
  throw invalidRequest(`The timespan '${timespan}' is not two times in order.`);
}
