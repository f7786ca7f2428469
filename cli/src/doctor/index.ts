/** Finds the reasons why a deployment does not deliver events. */
export { Azure, type Credential } from "./azure.js";
export { examine } from "./examine.js";
export { doctorReport } from "./report.js";
export { type TargetOptions, targetOfBinding, targetOfProps } from "./target.js";
export { ownSubscription, readTerraformOutputs } from "./terraform-outputs.js";
