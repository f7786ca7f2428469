export { beginningOf, loggableError, MAX_LISTED } from "../../log.js";
export { eventNames } from "./log-lines.js";
export { LogThrottle } from "./log-throttle.js";
export { ListenerMetrics } from "./metrics.js";
export { startEventSpan } from "./tracing.js";
