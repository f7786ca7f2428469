export { advancedFilter, type FilterCondition, operatorTypes } from "./advanced-filter.js";
export * from "./event-filter.js";
