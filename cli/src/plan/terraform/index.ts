/** A plan of Terraform, its resources and its configuration. */
export { withoutIndices } from "./configuration.js";
export { azurermFilter, blocksOf, filterIn, isEventSubscription, withBody } from "./filter.js";
export { type Attributes, type Plan, type PlannedChange, readPlan } from "./read-plan.js";
export {
  canonical,
  comparable,
  idOf,
  isConfigured,
  isPatch,
  isWithin,
  kindOf,
  type Side,
  type Subscription,
  type SubscriptionChange,
  same,
  subscriptionOf,
  typeOf,
  type Use,
  value,
} from "./resources.js";
