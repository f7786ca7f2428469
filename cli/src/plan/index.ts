/** What a plan of Terraform does to events. */
export { readEvents } from "./events.js";
export { explainPlan } from "./explain.js";
export { readPlan } from "./read-plan.js";
export { COLOURS, planText } from "./report.js";
