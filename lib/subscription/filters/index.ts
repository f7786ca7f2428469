/** Which events an event subscription takes. */
export { advancedFiltersCheck } from "./advanced-filter-rules.js";
export {
  type AdvancedFilter,
  advancedFilterBlock,
  type FilterBuilder,
  where,
} from "./advanced-filters.js";
