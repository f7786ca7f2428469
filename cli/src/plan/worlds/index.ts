/** Azure as a plan shows it: before the apply, while it runs, and afterwards. */
export { EVENT_GRID, type Moment, PlanWorld, principalsOf, Resources } from "./plan-world.js";
export { isJudged } from "./types.js";
