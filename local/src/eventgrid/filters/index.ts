export type { FilterCondition } from "./advanced-filter.js";
export * from "./event-filter.js";
