/**
 * Exports for the construct library beyond the public API: rules, limits and the normal form of a
 * binding. Its exports change without notice.
 */
export { type ResolvedBinding, resolveBinding } from "./binding/definition/index.js";
export * from "./binding/rules/index.js";
export * from "./validation/index.js";
