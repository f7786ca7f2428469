/** The commands, one per file. Each loads its implementation when it runs. */
export { checkCommand } from "./check.js";
export { deadLettersCommand } from "./dead-letters.js";
export { type DoctorEnvironment, doctorCommand } from "./doctor.js";
export { type ProbeEnvironment, probeCommand } from "./probe.js";
