export { Persistence, savingRoute } from "./persistence.js";
