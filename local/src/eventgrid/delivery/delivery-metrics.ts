import { sameScope } from "../../base/index.js";

/**
 * Azure's metrics of an event subscription; the first two count attempts, the others events.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-metrics/microsoft-eventgrid-eventsubscriptions-metrics
 */
export const deliveryMetrics = [
  "DeliverySuccessCount",
  "DeliveryAttemptFailCount",
  "MatchedEventCount",
  "DroppedEventCount",
  "DeadLetteredCount",
] as const;

/** Azure's metrics of a topic or domain that are not those of its event subscriptions. */
export const topicMetrics = ["PublishSuccessCount", "PublishFailCount"] as const;
export type Metric = (typeof deliveryMetrics)[number] | (typeof topicMetrics)[number];

export function isTopicMetric(metric: Metric): boolean {
  return topicMetrics.some((each) => each === metric);
}

const MINUTE_MS = 60_000;
/** A day of minutes. */
const MAX_MINUTES = 24 * 60;

type Counts = Partial<Record<Metric, number>>;

/** Counts what happened at each topic and event subscription by minute, for a day. */
export class DeliveryMetrics {
  readonly #minutes = new Map<string, Map<number, Counts>>();

  constructor(private readonly now: () => number) {}

  add(id: string, metric: Metric, count: number): void {
    const minute = Math.floor(this.now() / MINUTE_MS);
    let minutes = this.#minutes.get(id);
    if (minutes === undefined) {
      minutes = new Map();
      this.#minutes.set(id, minutes);
    }
    let counts = minutes.get(minute);
    if (counts === undefined) {
      counts = {};
      minutes.set(minute, counts);
      const [oldest] = minutes.keys();
      if (minutes.size > MAX_MINUTES && oldest !== undefined) minutes.delete(oldest);
    }
    counts[metric] = (counts[metric] ?? 0) + count;
  }

  /** The sum of a metric from one time until before another, in milliseconds since 1970. */
  total(id: string, metric: Metric, from: number, to: number): number {
    let total = 0;
    for (const [counted, minutes] of this.#minutes) {
      if (!sameScope(counted, id)) continue;
      for (const [minute, counts] of minutes) {
        const at = minute * MINUTE_MS;
        if (at >= from && at < to) total += counts[metric] ?? 0;
      }
    }
    return total;
  }

  clear(): void {
    this.#minutes.clear();
  }
}
