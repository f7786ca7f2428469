export { addressOf, resourceWith } from "./address.js";
export { AzapiData, AzapiResource, azapiProvider } from "./azapi.js";
export { Dependencies } from "./dependencies.js";
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
export { ImportBlock } from "./import-block.js";
export { principalOf, withPrincipals } from "./new-identity.js";
export { defined, lifecycle, tagged } from "./properties.js";
export {
  type ProviderRegistration,
  providerRegistrations,
  registerEventGrid,
} from "./provider-registration.js";
export { resourceIdSegment, scopeNamedBy, trimmedId } from "./resource-id.js";
export { OncePerStack, requireTerraformVersion, withAlias } from "./stack-singletons.js";
export { checkedFirst, delay, TerraformData } from "./terraform-data.js";
export { functionArgument, withPlaceholders, withTextTokens } from "./tokens.js";
