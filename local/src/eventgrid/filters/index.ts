export type { FilterCondition } from "./advanced-filter.js";
export {
  advancedFilter,
  compileFilter,
  type EventFilter,
  type FailedCondition,
  filterProblems,
  operatorTypes,
} from "./event-filter.js";
