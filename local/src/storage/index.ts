export * from "./connection-string.js";
export * from "./shared-key.js";
export * from "./storage-account.js";
