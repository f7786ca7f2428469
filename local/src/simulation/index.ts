export * from "./clock.js";
export * from "./duration.js";
export * from "./faults.js";
