/** What deliveries depend on in a plan, and what a change of it does to them. */
export {
  type Dependencies,
  type Dependency,
  dependenciesOf,
  isDestroyed,
  NEEDS,
} from "./follow.js";
export { CREATION, EXISTENCE, isHarmless } from "./harmless.js";
export type { Neighbour } from "./keeps.js";
export { isNamed, namesOf, partOf } from "./names.js";
export { NEIGHBOURS } from "./neighbours.js";
export { identitiesOf, SYSTEM } from "./settings.js";
