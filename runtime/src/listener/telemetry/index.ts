export { beginningOf, eventNames, loggableError, MAX_LISTED, problemsOf } from "./log-lines.js";
export { LogThrottle } from "./log-throttle.js";
export { ListenerMetrics } from "./metrics.js";
export { startEventSpan } from "./tracing.js";
