export { Persistence, savingRoute } from "./persistence.js";
export type { StatePart } from "./state-file.js";
