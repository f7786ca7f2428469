export { type Alert, type AlertChange, MetricAlerts } from "./metric-alerts.js";
export { monitorTypes } from "./monitor-types.js";
