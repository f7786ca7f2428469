/** Finds the reasons why a deployment does not deliver events. */
export { droppedSince, EVENT_GRID_API, subscriptionsPath } from "./checks/index.js";
export { type DoctorEnvironment, type DoctorFlags, doctor } from "./doctor.js";
