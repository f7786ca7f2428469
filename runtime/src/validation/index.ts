/**
 * Checks of configuration values, and the problems that they report. Everything that validates a
 * configuration builds on this folder, in the runtime and in the construct library.
 */
export * from "./checks.js";
export * from "./messages.js";
export * from "./rules.js";
export { withoutRandomWords } from "./secrets.js";
