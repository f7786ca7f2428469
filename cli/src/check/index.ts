/** Validation of component documents and environments. */
export { checkEnvironments, checked, checkFiles } from "./check.js";
export { checkReport } from "./report.js";
