import { type Azure, listAt, textAt } from "../../azure/index.js";
import { isTopic } from "../../resource-id.js";
import { type Finding, type Findings, findings } from "../finding.js";
import type { EventSubscription } from "./event-subscription.js";

const HOUR_MS = 3_600_000;
/** How far back the verdict looks. Older damage may have been repaired. */
export const RECENT_HOURS = 2;

const METRICS = [
  "MatchedEventCount",
  "DeliverySuccessCount",
  "DeliveryAttemptFailCount",
  "DroppedEventCount",
  "DeadLetteredCount",
] as const;

type Counts = Readonly<Record<(typeof METRICS)[number], number>>;

/** The outcomes of the events of the last 24 hours; nothing when there are no metrics. */
export async function checkDeliveries(
  azure: Azure,
  { id, name }: EventSubscription,
  now: number,
): Promise<Findings> {
  const finding = findings("deliveries");
  const answer = await readMetrics(azure, id, METRICS, now);
  if (answer.status === 404) return [];
  if (answer.status !== 200) return finding.unreadable("the metrics", answer);
  return judge(answer.body, name, now);
}

/** @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delayed-delivery */
const DELAYED =
  "after some ten failures Event Grid delays all deliveries to the endpoint, also of new events, by up to hours: what is late after an outage arrives by itself";

function judge(body: unknown, name: string, now: number): Finding {
  const finding = findings("deliveries");
  const since = now - RECENT_HOURS * HOUR_MS;
  const recent = countsOf(body, (time) => time >= since);
  const older = countsOf(body, (time) => time < since);
  const counts = textOf(recent);
  const list = {
    text: "look at the dead letters, and replay them after the repair",
    command: `npx --no -- cloud-eventgrid dead-letters list --subscription ${name} --since 24h --container URL`,
  };
  if (recent.DroppedEventCount > 0) {
    return finding.failed(
      `${recent.DroppedEventCount} events were dropped and ${recent.DeadLetteredCount} dead-lettered; ${counts}`,
      "read the listener's log for refused deliveries (400, 401, 403, 413), and set deadLetter on the binding to keep such events",
    );
  }
  if (recent.DeadLetteredCount > 0) {
    return finding.failed(`${recent.DeadLetteredCount} events were dead-lettered; ${counts}`, list);
  }
  const failed = recent.DeliveryAttemptFailCount;
  const attempts = failed + recent.DeliverySuccessCount;
  if (recent.MatchedEventCount > 0 && failed > 0 && recent.DeliverySuccessCount === 0) {
    return finding.failed(
      `no event was delivered; ${counts}`,
      `read the listener's log and the log of the ingress for the answers to POST requests; ${DELAYED}`,
    );
  }
  if (failed > attempts / 4) {
    return finding.warning(
      `more than a quarter of the attempts failed; ${counts}`,
      `read the listener's log for deliveries that were answered with 503, and the service's for restarts; ${DELAYED}`,
    );
  }
  if (recent.MatchedEventCount > 0 && attempts === 0 && older.DeliveryAttemptFailCount > 0) {
    return finding.warning(`no delivery was attempted; ${counts}`, DELAYED);
  }
  if (older.DroppedEventCount + older.DeadLetteredCount > 0) {
    return finding.warning(
      `${counts}; earlier today ${older.DroppedEventCount} events were dropped and ${older.DeadLetteredCount} dead-lettered`,
      list,
    );
  }
  return finding.ok(counts);
}

/**
 * Whether events of the topic matched no event subscription at all, which looks like a delivery that
 * is missing. Nothing when none did, or when that cannot be known.
 */
export async function checkUnmatched(azure: Azure, scope: string, now: number): Promise<Findings> {
  if (!isTopic(scope)) return [];
  const count = await recentTotal(azure, scope, "UnmatchedEventCount", now);
  if (count === 0) return [];
  return findings("filters").warning(
    `${count} events of the topic matched no event subscription in the last ${RECENT_HOURS} hours`,
    "compare one of them with the filter: --event <file>",
  );
}

/** The total of a metric in the last hours; 0 when it cannot be read. */
export async function recentTotal(
  azure: Azure,
  id: string,
  metric: string,
  now: number,
): Promise<number> {
  const since = now - RECENT_HOURS * HOUR_MS;
  const { status, body } = await readMetrics(azure, id, [metric], now, since);
  return status === 200 ? totalOf(body, metric, () => true) : 0;
}

/** The counts of a time span, in milliseconds since 1970; undefined when they cannot be read. */
export async function countsSince(
  azure: Azure,
  id: string,
  since: number,
  now: number,
): Promise<Counts | undefined> {
  const { status, body } = await readMetrics(azure, id, METRICS, now, since);
  return status === 200 ? countsOf(body, () => true) : undefined;
}

function readMetrics(
  azure: Azure,
  id: string,
  metrics: readonly string[],
  now: number,
  since = now - 24 * HOUR_MS,
) {
  const [start, end] = [since, now].map((time) => new Date(time).toISOString());
  return azure.arm(`${id}/providers/Microsoft.Insights/metrics`, "2023-10-01", {
    metricnames: metrics.join(","),
    aggregation: "Total",
    interval: "PT15M",
    timespan: `${start}/${end}`,
  });
}

type Period = (time: number) => boolean;

function countsOf(body: unknown, period: Period): Counts {
  const total = (metric: string) => totalOf(body, metric, period);
  return {
    MatchedEventCount: total("MatchedEventCount"),
    DeliverySuccessCount: total("DeliverySuccessCount"),
    DeliveryAttemptFailCount: total("DeliveryAttemptFailCount"),
    DroppedEventCount: total("DroppedEventCount"),
    DeadLetteredCount: total("DeadLetteredCount"),
  };
}

function totalOf(body: unknown, name: string, period: Period): number {
  const metric = listAt(body, "value").find((item) => textAt(item, "name", "value") === name);
  const points = listAt(metric, "timeseries").flatMap((series) => listAt(series, "data"));
  return points
    .filter((point) => period(Date.parse(textAt(point, "timeStamp") ?? "")))
    .reduce<number>((sum, point) => sum + Number(Object(point).total ?? 0), 0);
}

function textOf({ MatchedEventCount, DeliverySuccessCount, DeliveryAttemptFailCount }: Counts) {
  return (
    `in the last ${RECENT_HOURS} hours ${MatchedEventCount} events matched, ` +
    `${DeliverySuccessCount} deliveries succeeded, ${DeliveryAttemptFailCount} attempts failed`
  );
}
