/** Validation of component documents and environments. */
export { checkEnvironments, checkFiles } from "./check.js";
export { checkReport } from "./report.js";
