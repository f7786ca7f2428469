/**
 * The rules and limits that the construct library shares with this package. Not public: its exports
 * change without notice.
 */
export * from "./binding/rules/index.js";
export * from "./validation/index.js";
