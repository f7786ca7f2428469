/** Azure as a plan shows it: before the apply, while it runs, and afterwards. */
export { identitiesOf } from "./identities.js";
export { PlanWorld } from "./plan-world.js";
export {
  ANYBODY,
  EVENT_GRID,
  holderOf,
  type Moment,
  membersIn,
  principalsOf,
  Resources,
} from "./resources.js";
export { isRegranted, isRoleDefinition } from "./roles.js";
export { isJudged } from "./types.js";
