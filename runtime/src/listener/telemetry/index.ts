export { beginningOf, eventNames, loggableError, MAX_LISTED } from "./log-lines.js";
export { LogThrottle } from "./log-throttle.js";
export { ListenerMetrics } from "./metrics.js";
export { startEventSpan } from "./tracing.js";
