/**
 * Exports for the construct library beyond the public API: rules, limits and the normal form of a
 * binding. They may change with every release: packages of one release depend on each other exactly.
 */
export { type ResolvedBinding, resolveBinding } from "./binding/definition/index.js";
export * from "./binding/rules/index.js";
export * from "./validation/index.js";
