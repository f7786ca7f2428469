/** What services see of this package: log lines, and the names of its metrics and traces. */
export { logOf } from "./console-log.js";
export {
  currentTracer,
  DURATION_BUCKETS_S,
  INSTRUMENTATION,
  MESSAGING_SYSTEM,
  markFailed,
  type TelemetryProviders,
} from "./instrumentation.js";
export {
  beginningOf,
  eventNames,
  isEnabled,
  type Log,
  LogThrottle,
  loggableError,
  MAX_LISTED,
} from "./log.js";
