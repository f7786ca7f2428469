import type { Log } from "../observability/index.js";
import type { Timer } from "../time.js";
import type { ReceiverMetrics } from "./metrics.js";
import type { ReceiverSettings } from "./settings/index.js";
import type { ReceiverTracing } from "./tracing.js";

/** What the parts of a receiver share. */
export interface ReceiverContext {
  readonly settings: ReceiverSettings;
  readonly log: Log;
  readonly timer: Timer;
  readonly metrics: ReceiverMetrics;
  readonly tracing: ReceiverTracing;
  /** From 0 to below 1. */
  readonly random: () => number;
}
