export { answerOf } from "./answer.js";
export type { FieldRules } from "./fields.js";
export { filtered } from "./lists.js";
export { pageOf } from "./paging.js";
export {
  isOfType,
  type Resource,
  shownPlainly,
  stableKey,
  stableUuid,
  twoKeys,
  typeOf,
} from "./resource.js";
export { addResourceRoutes, resourceResponse } from "./resource-routes.js";
export type { Change, ResourceType } from "./resource-type.js";
export { type ResourceState, Resources } from "./resources.js";
