/** Elements of a stack besides the resources of providers. */
export { AzapiData, AzapiResource, azapiProvider } from "./azapi.js";
export { delay } from "./delay.js";
export { Dependencies } from "./dependencies.js";
export { ImportBlock } from "./import-block.js";
export { principalOf, withPrincipals } from "./new-identity.js";
export {
  type ProviderRegistration,
  providerRegistrations,
  registerEventGrid,
} from "./provider-registration.js";
export { OncePerStack, requireTerraformVersion, withAlias } from "./stack-singletons.js";
export { TerraformData } from "./terraform-data.js";
