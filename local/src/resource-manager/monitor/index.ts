export { ActionGroups, type AlertCall } from "./action-groups.js";
export { type DiagnosticLog, DiagnosticLogs } from "./diagnostic-logs.js";
export { type Alert, type AlertChange, MetricAlerts } from "./metric-alerts.js";
export { monitorTypes } from "./monitor-types.js";
