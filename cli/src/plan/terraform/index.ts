/** A plan of Terraform, its resources and its configuration. */
export { withoutIndices } from "./configuration.js";
export { azurermFilter, blocksOf, filterIn, isEventSubscription, withBody } from "./filter.js";
export { attributes, oneOf, plain } from "./matching.js";
export { type Attributes, type Plan, type PlannedChange, readPlan } from "./read-plan.js";
export {
  isChanging,
  isConfigured,
  isDescriptive,
  isDestination,
  isPatch,
  isPlace,
  kindOf,
  monitoredBy,
  principalOf,
  type Subscription,
  type SubscriptionChange,
  subscriptionChange,
  systemPrincipalOf,
  typeOf,
  type Use,
} from "./resources.js";
export {
  camelCase,
  canonical,
  comparable,
  idOf,
  isWithin,
  keyOf,
  type Side,
  same,
  value,
} from "./values.js";
