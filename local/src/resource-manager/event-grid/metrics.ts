import type { ApiRequest, Router } from "../../api/index.js";
import { invalidRequest } from "../../base/index.js";
import { type DeliveryMetrics, deliveryMetrics } from "../../eventgrid/index.js";
import { getEventSubscription } from "./event-subscriptions.js";
import type { EventGridState } from "./state.js";

/** Azure Monitor's intervals, in milliseconds. */
export const intervals: ReadonlyMap<string, number> = new Map([
  ["PT1M", 60_000],
  ["PT5M", 5 * 60_000],
  ["PT15M", 15 * 60_000],
  ["PT30M", 30 * 60_000],
  ["PT1H", 3_600_000],
  ["PT6H", 6 * 3_600_000],
  ["PT12H", 12 * 3_600_000],
  ["P1D", 24 * 3_600_000],
]);

/** The metrics of event subscriptions, which Azure Monitor serves. */
export function addMetricsRoute(router: Router, state: EventGridState): void {
  router.get("/*id/providers/Microsoft.Insights/metrics", (request, parameter) => {
    const id = parameter("id");
    state.authorization.require(request.caller, "Microsoft.Insights/metrics/read", id);
    return metricsAnswer(request, getEventSubscription(state, id), state.metrics, state.now());
  });
}

/**
 * The metrics of an event subscription, as Azure Monitor returns them. Only totals are kept, for a day.
 *
 * @see https://learn.microsoft.com/rest/api/monitor/metrics/list
 */
function metricsAnswer(
  { query }: ApiRequest,
  { id }: { readonly id: string },
  metrics: DeliveryMetrics,
  now: number,
): object {
  const interval = query.get("interval") ?? "PT1M";
  const step = intervals.get(interval);
  if (step === undefined) throw invalidRequest(`The interval '${interval}' is not supported.`);
  const aggregation = query.get("aggregation") ?? "Total";
  if (aggregation.toLowerCase() !== "total") {
    throw invalidRequest(`The aggregation '${aggregation}' is not supported, only Total.`);
  }
  const [from, to] = timespanIn(query.get("timespan"), now);
  // A time that is no multiple of the interval belongs to the interval in which it is.
  const first = Math.floor(from / step) * step;
  const starts = Array.from(
    { length: Math.ceil((to - first) / step) },
    (_, at) => first + at * step,
  );
  return {
    cost: 0,
    timespan: `${new Date(from).toISOString()}/${new Date(to).toISOString()}`,
    interval,
    namespace: "Microsoft.EventGrid/eventSubscriptions",
    resourceregion: "global",
    value: wanted(query.get("metricnames")).map((metric) => ({
      id: `${id}/providers/Microsoft.Insights/metrics/${metric}`,
      type: "Microsoft.Insights/metrics",
      name: { value: metric, localizedValue: metric },
      unit: "Count",
      errorCode: "Success",
      timeseries: [
        {
          metadatavalues: [],
          data: starts.map((start) => ({
            timeStamp: new Date(start).toISOString(),
            total: metrics.total(id, metric, start, Math.min(start + step, to)),
          })),
        },
      ],
    })),
  };
}

function wanted(names: string | null) {
  if (names === null) return deliveryMetrics;
  return names.split(",").map((name) => {
    const known = deliveryMetrics.find((each) => each.toLowerCase() === name.trim().toLowerCase());
    if (known !== undefined) return known;
    throw invalidRequest(
      `Failed to find metric configuration for '${name}'. Valid metrics: ${deliveryMetrics.join(",")}`,
    );
  });
}

/** From and to; without a timespan, the last hour. */
function timespanIn(timespan: string | null, now: number): [number, number] {
  if (timespan === null) return [now - 3_600_000, now];
  const [from = Number.NaN, to = Number.NaN] = timespan.split("/").map((text) => Date.parse(text));
  if (from < to && to - from <= 31 * 24 * 3_600_000) return [from, to];
  throw invalidRequest(
    `The timespan '${timespan}' is not two times in order, at most 31 days apart.`,
  );
}
