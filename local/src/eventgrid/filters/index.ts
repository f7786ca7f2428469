export type { AdvancedFilter, NumberRange } from "./advanced-filter.js";
export { compileFilter, type EventFilter, type EventPredicate } from "./event-filter.js";
export { filterProblems, isAdvancedFilter } from "./filter-rules.js";
