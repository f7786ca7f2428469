/** The commands, one per file. Each loads its implementation when it runs. */
export { checkCommand } from "./check.js";
export { convertCommand } from "./convert.js";
export { type DeadLettersDependencies, deadLettersCommand } from "./dead-letters.js";
export { doctorCommand } from "./doctor.js";
export { eventsCommand } from "./events.js";
export { explainPlanCommand } from "./explain-plan.js";
export { initCommand } from "./init.js";
export { listenCommand } from "./listen.js";
export { type ProbeEnvironment, probeCommand } from "./probe.js";
export { publishCommand } from "./publish.js";
export { tablesCommand } from "./tables.js";
