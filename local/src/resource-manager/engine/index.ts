export { listAnswer } from "./lists.js";
export { locksAt, requireUnlocked } from "./locks.js";
export { addResourceRoutes } from "./resource-routes.js";
export type { Change, FieldRules, Resource, ResourceType } from "./resource-type.js";
export {
  ifKept,
  type ResourceState,
  Resources,
  requireScope,
  resourceAt,
  shownPlainly,
  stableKey,
  stableUuid,
  twoKeys,
} from "./resources.js";
export { checkTags } from "./tags.js";
