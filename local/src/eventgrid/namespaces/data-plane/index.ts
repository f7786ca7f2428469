export { dataRoute } from "./data-route.js";
export { notFound } from "./errors.js";
export { structured } from "./published-events.js";
