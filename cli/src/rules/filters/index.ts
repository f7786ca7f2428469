/** The filters of event subscriptions: what they do with an event, and how two differ. */
export { Comparison, changeOf, OTHER_TYPES, type Relation, type Schema } from "./compare.js";
export { withDefaultTypes } from "./default-types.js";
export {
  applyFilter,
  type EventToFilter,
  filterConditions,
  includedTypes,
} from "./event-filter.js";
export { areDisjoint, BLOB_SUBJECT, impliedBy, passesNever } from "./sources.js";
