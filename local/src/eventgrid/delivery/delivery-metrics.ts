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
export type DeliveryMetric = (typeof deliveryMetrics)[number];

const MINUTE_MS = 60_000;
/** A day of minutes. */
const MAX_MINUTES = 24 * 60;

type Counts = Partial<Record<DeliveryMetric, number>>;

/** Counts the outcomes of each subscription's events by minute, for a day. */
export class DeliveryMetrics {
  readonly #minutes = new Map<string, Map<number, Counts>>();

  constructor(private readonly now: () => number) {}

  add(subscriptionId: string, metric: DeliveryMetric, count: number): void {
    const minute = Math.floor(this.now() / MINUTE_MS);
    let minutes = this.#minutes.get(subscriptionId);
    if (minutes === undefined) {
      minutes = new Map();
      this.#minutes.set(subscriptionId, minutes);
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
  total(subscriptionId: string, metric: DeliveryMetric, from: number, to: number): number {
    let total = 0;
    for (const [id, minutes] of this.#minutes) {
      if (!sameScope(id, subscriptionId)) continue;
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
