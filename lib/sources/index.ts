export * as sources from "./sources.js";
