/** Alerts and diagnostic settings of what the other folders create. */
export {
  type AlertRule,
  type BindingAlertOptions,
  bindingAlertChecks,
  type CommonAlertOptions,
  type PullAlertOptions,
  pullAlertChecks,
  type TopicAlertOptions,
  topicAlertChecks,
} from "./alert-options.js";
export { pullRules, pushRules, topicRules } from "./alert-rules.js";
export { createAlerts } from "./alerts.js";
export {
  type Diagnostics,
  type DiagnosticsEventHub,
  diagnosticSetting,
  diagnosticsCheck,
} from "./diagnostics.js";
