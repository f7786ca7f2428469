export * from "./system-events.js";
