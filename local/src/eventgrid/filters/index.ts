export type { FilterCondition } from "./advanced-filter.js";
export { compileFilter, type EventFilter, type FailedCondition } from "./event-filter.js";
export { advancedFilter, filterProblems, operatorTypes } from "./filter-rules.js";
