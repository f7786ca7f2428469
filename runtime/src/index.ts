export * from "./binding/index.js";
export * from "./errors.js";
export * from "./events/index.js";
export * from "./listener/index.js";
export * from "./publisher/index.js";
