/**
 * Checks of configuration values, and the problems that they report. Everything that validates a
 * configuration builds on this folder, in the runtime and in the construct library.
 */
export * from "./common-rules.js";
export * from "./composite-checks.js";
export * from "./misspelt-name.js";
export * from "./options.js";
export * from "./rule.js";
export * from "./show-value.js";
