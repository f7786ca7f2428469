/** Alerts and diagnostic settings of what the other folders create. */
export * from "./alert-rules.js";
export * from "./alerts.js";
export * from "./diagnostics.js";
