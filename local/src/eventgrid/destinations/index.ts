export * from "./destination.js";
export * from "./message-sizes.js";
export * from "./messages.js";
