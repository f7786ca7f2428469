/** The checks of a pull binding: an event subscription in a namespace that a service empties. */
export { pullChecks } from "./pull-checks.js";
