/** Finds the reasons why a deployment does not deliver events. */
export { type DoctorEnvironment, type DoctorFlags, doctor } from "./doctor.js";
