/** Validation of component documents and environments. */

export { checkEnvironments, checked, checkSources } from "./check-bindings.js";
export { COLOURS, checkReport } from "./report.js";
