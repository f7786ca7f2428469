/** What services see of this package: log lines, and the names of its metrics and traces. */
export * from "./instrumentation.js";
export * from "./log.js";
