/** Values of a stack, which may be known only when Terraform runs. */
export { addressOf, resourceWith } from "./address.js";
export { defined, tagged } from "./defined.js";
export { operand } from "./expressions.js";
export {
  countUnlessAmong,
  defaultName,
  identityInAnyCase,
  identityOf,
  knownAtPlan,
  originOf,
  sameIdentity,
  shortHash,
  uuidOf,
} from "./identity.js";
export { lifecycle } from "./lifecycle.js";
export { resourceIdSegment, scopeNamedBy, trimmedId } from "./resource-id.js";
export { functionArgument, isPlain, withPlaceholders, withTextTokens } from "./tokens.js";
