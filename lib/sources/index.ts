export * as scopes from "./scopes.js";
export * as sources from "./sources.js";
