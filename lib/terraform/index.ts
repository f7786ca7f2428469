export * from "./elements/index.js";
export * from "./values/index.js";
