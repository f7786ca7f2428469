export { dataRoute } from "./data-route.js";
export { structured } from "./published-events.js";
