export { advancedFilter, type FilterCondition, operatorTypes } from "./advanced-filter.js";
export {
  compileFilter,
  type EventFilter,
  type FailedCondition,
  filterProblems,
} from "./event-filter.js";
