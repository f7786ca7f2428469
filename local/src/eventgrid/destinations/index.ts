export * from "./destination.js";
export * from "./messages.js";
