import type { Log } from "../observability.js";
import type { Clock } from "../time.js";
import type { ReceiverSettings } from "./settings.js";
import type { ReceiverMetrics, ReceiverTracing } from "./telemetry.js";

/** The objects that the parts of a receiver share. */
export interface ReceiverContext {
  readonly settings: ReceiverSettings;
  readonly log: Log;
  readonly timer: Clock;
  readonly metrics: ReceiverMetrics;
  readonly tracing: ReceiverTracing;
  /** From 0 to below 1. */
  readonly random: () => number;
}
