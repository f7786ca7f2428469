export { type AzurermRelease, azurermReleases } from "./azurerm/releases.js";
export { type StandInOptions, type StandIns, startStandIns } from "./stand-ins.js";
export { TerraformFailedError, TerraformMissingError } from "./terraform/errors.js";
export type { Action, Change, Diagnostic, Progress } from "./terraform/messages.js";
export { findTerraform, requireTerraform } from "./terraform/program.js";
export {
  type ProviderSource,
  type Providers,
  prepareProviders,
  providerSource,
} from "./terraform/providers.js";
export {
  type Applied,
  type Plan,
  type PlannedResource,
  type StateResource,
  Terraform,
} from "./terraform/terraform.js";
