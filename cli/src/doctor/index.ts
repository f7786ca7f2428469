/** Finds the reasons why a deployment does not deliver events. */
export { examine } from "./examine.js";
export type { EventToFilter } from "./filters.js";
export type { Finding } from "./finding.js";
export { COLOURS, findingText, verdict } from "./report.js";
export { type TargetOptions, targetOfBinding, targetOfProps } from "./target.js";
export { ownSubscription, readTerraformOutputs } from "./terraform-outputs.js";
