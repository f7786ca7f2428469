export * from "./destination.js";
export * from "./message-checks.js";
export * from "./messages.js";
