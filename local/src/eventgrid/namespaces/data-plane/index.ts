export { dataRoute } from "./data-route.js";
export { notFound } from "./errors.js";
export { type PublishedEvent, structured } from "./published-events.js";
