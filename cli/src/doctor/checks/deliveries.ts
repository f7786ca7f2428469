import { HOUR_MS } from "cloud-eventgrid-binding-runtime/internal";
import {
  type Answer,
  type Azure,
  type Period,
  pointsOf,
  readMetrics,
  total,
} from "../../azure/index.js";
import { counted } from "../../numbers.js";
import { isTopic } from "../../resource-id.js";
import { type Finding, type Findings, findings } from "../finding.js";
import type { EventSubscription } from "./event-subscription.js";

/** Fewer failures are a restart of the service, whose events were delivered afterwards. */
const DELAYING_FAILURES = 10;
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

/** The outcomes of the events of the last 24 hours. */
export async function checkDeliveries(
  azure: Pick<Azure, "arm">,
  { id, name }: EventSubscription,
  now: number,
): Promise<Findings> {
  const finding = findings("deliveries");
  const answer = await readMetrics(azure, id, METRICS, now - 24 * HOUR_MS, now);
  if (answer.status !== 200) return finding.unreadable("the metrics", answer);
  const unknown = METRICS.find((metric) => pointsOf(answer, metric) === undefined);
  if (unknown !== undefined) return finding.notShown(`the metric ${unknown}`);
  const since = now - RECENT_HOURS * HOUR_MS;
  const recent = countsOf(answer, (time) => time >= since);
  return judge(
    recent,
    countsOf(answer, (time) => time < since),
    name,
  );
}

/** @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delayed-delivery */
const DELAYED =
  "after some ten failures Event Grid delays all deliveries to the endpoint, also of new events, by up to hours: what is late after an outage arrives by itself";

function judge(recent: Counts, older: Counts, name: string): Finding {
  const finding = findings("deliveries");
  const failed = recent.DeliveryAttemptFailCount;
  const attempts = failed + recent.DeliverySuccessCount;
  const summary =
    `in the last ${RECENT_HOURS} hours ${counted(recent.MatchedEventCount, "event")} matched, ` +
    `${counted(recent.DeliverySuccessCount, "event")} delivered, ${counted(failed, "attempt")} failed`;
  const list = {
    text: "look at the dead letters, and replay them after the repair",
    command: `npx --no -- cloud-eventgrid dead-letters list --subscription ${name} --since 24h --container URL`,
  };
  if (recent.DroppedEventCount > 0) {
    return finding.failed(
      `${counted(recent.DroppedEventCount, "event")} dropped, ${recent.DeadLetteredCount} dead-lettered; ${summary}`,
      "read the listener's log for refused deliveries (400, 401, 403, 413), and set deadLetter on the binding to keep such events",
    );
  }
  if (recent.DeadLetteredCount > 0) {
    return finding.failed(
      `${counted(recent.DeadLetteredCount, "event")} dead-lettered; ${summary}`,
      list,
    );
  }
  if (recent.MatchedEventCount > 0 && failed > 0 && recent.DeliverySuccessCount === 0) {
    return finding.failed(
      `no event was delivered; ${summary}`,
      `read the listener's log and the log of the ingress for the answers to POST requests; ${DELAYED}`,
    );
  }
  const isRetried = failed < DELAYING_FAILURES && recent.DeliverySuccessCount > 0;
  if (failed > attempts / 4 && !isRetried) {
    return finding.warning(
      `more than a quarter of the attempts failed; ${summary}`,
      `read the listener's log for deliveries that were answered with 503, and the service's for restarts; ${DELAYED}`,
    );
  }
  if (recent.MatchedEventCount > 0 && attempts === 0 && older.DeliveryAttemptFailCount > 0) {
    return finding.warning(`no delivery was attempted; ${summary}`, DELAYED);
  }
  if (older.DroppedEventCount + older.DeadLetteredCount > 0) {
    return finding.warning(
      `${summary}; earlier today ${counted(older.DroppedEventCount, "event")} dropped, ${older.DeadLetteredCount} dead-lettered`,
      list,
    );
  }
  return finding.ok(summary);
}

/**
 * Whether events of the topic matched no event subscription at all, which looks like a delivery that
 * is missing.
 */
export async function checkUnmatched(
  azure: Pick<Azure, "arm">,
  scope: string,
  now: number,
): Promise<Findings> {
  if (!isTopic(scope)) return [];
  const finding = findings("filters");
  const answer = await recentMetric(azure, scope, "UnmatchedEventCount", now);
  const count = total(answer, "UnmatchedEventCount");
  if (count === undefined) return finding.notReadable("the number of unmatched events", answer);
  if (count === 0) return [];
  return finding.warning(
    `${counted(count, "event")} of the topic matched no event subscription in the last ${RECENT_HOURS} hours`,
    "compare one of them with the filter: --event <file>",
  );
}

/** A metric of the last hours, for {@link total}. */
export function recentMetric(
  azure: Pick<Azure, "arm">,
  id: string,
  metric: string,
  now: number,
): Promise<Answer> {
  return readMetrics(azure, id, [metric], now - RECENT_HOURS * HOUR_MS, now);
}

function countsOf(answer: Answer, period: Period): Counts {
  const of = (metric: string) => total(answer, metric, period) ?? 0;
  return {
    MatchedEventCount: of("MatchedEventCount"),
    DeliverySuccessCount: of("DeliverySuccessCount"),
    DeliveryAttemptFailCount: of("DeliveryAttemptFailCount"),
    DroppedEventCount: of("DroppedEventCount"),
    DeadLetteredCount: of("DeadLetteredCount"),
  };
}
