/** What two filters do with the events of a type. */
export { Comparison, OTHER_TYPES, type Relation, type Schema } from "./compare.js";
