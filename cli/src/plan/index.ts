/** What a plan of Terraform does to events. */
export { readEvents } from "./events.js";
export { explainPlan } from "./explain.js";
export { COLOURS, planText } from "./report.js";
export { readPlan } from "./terraform/index.js";
